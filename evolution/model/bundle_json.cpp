// SPDX-License-Identifier: Apache-2.0
#include "evolution/model/bundle_json.h"

#include "annotate/spec/json_convert.h"
#include "evolution/model/bundle_fields.h"

namespace cupilot::model {

std::string to_json(const Bundle &bundle) {
  return spec::document_of("cupilot_bundle", 1, bundle).dump(1) + "\n";
}

Result<Bundle> bundle_from_json(std::string_view text) {
  Bundle bundle;
  bundle.twin_missing = "the bundle is older than twins";
  return spec::read_document(text, "cupilot_bundle", 1, std::move(bundle));
}

}  // namespace cupilot::model
