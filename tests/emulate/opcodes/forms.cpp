// SPDX-License-Identifier: Apache-2.0

#include "tests/emulate/opcodes/form.h"

namespace cupilot::opcodes {

std::vector<Form> all_forms() {
  std::vector<Form> all;
  for (auto *family : {integer_forms, bits_forms, logic_forms, float_forms, approximate_forms, half_forms,
                       convert_forms, video_forms}) {
    for (Form &form : family()) all.push_back(std::move(form));
  }
  return all;
}

}  // namespace cupilot::opcodes
