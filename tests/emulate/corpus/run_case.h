// SPDX-License-Identifier: Apache-2.0
//
// One case of the corpus on the executor, with all checks on, and what is wrong with the outcome.

#pragma once

#include <memory>
#include <string>

#include "evolution/emulate/program/program.h"
#include "tests/emulate/corpus/case.h"

namespace cupilot::corpus {

/// The decoded program of a PTX file.
Result<std::shared_ptr<const emulate::program::Program>> load_ptx(const std::filesystem::path &file);
/// Empty: as expected.
std::string run_case(const Case &one, const std::shared_ptr<const emulate::program::Program> &program);

}  // namespace cupilot::corpus
