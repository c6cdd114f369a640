// SPDX-License-Identifier: Apache-2.0
#include "evolution/capture/seen_json.h"

#include "annotate/spec/json_convert.h"
#include "evolution/capture/seen_fields.h"

namespace cupilot::capture {

std::string to_json(const Watch &watch) {
  return spec::one_line(spec::document_of("cupilot_watch", 1, watch));
}

Result<Watch> watch_from_json(std::string_view text) {
  return spec::read_document<Watch>(text, "cupilot_watch", 1);
}

std::string to_json(const SeenLaunch &launch) {
  return spec::one_line(spec::document_of("cupilot_launch", 1, launch));
}

Result<SeenLaunch> launch_from_json(std::string_view line) {
  return spec::read_document<SeenLaunch>(line, "cupilot_launch", 1);
}

}  // namespace cupilot::capture
