// SPDX-License-Identifier: Apache-2.0
//
// Takes the paths of this machine out of a compiler's log. Logs stand in verdicts, records and questions to
// models, and names of users and folders are nobody's business there.

#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace cupilot::judge::tools {

struct NamedFolder {
  std::filesystem::path folder;
  std::string name;  ///< "<build>"
};

/// Files below `folders` become "<build>/entry.cu"; the first folder that fits counts. Of other absolute
/// paths only the file's name is left, except below /usr and other folders of the system. What only looks
/// like a path stays: a path begins with a folder that exists.
std::string short_paths(std::string_view log, const std::vector<NamedFolder> &folders);

}  // namespace cupilot::judge::tools
