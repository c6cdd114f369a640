// SPDX-License-Identifier: Apache-2.0
//
// What one buffer of a case holds in one run. A GPU and the emulated device fill their memory by the same
// rule; how they do it is theirs.

#pragma once

#include <string>
#include <vector>

#include "annotate/support/result.h"
#include "evolution/judge/cases/case_layout.h"
#include "evolution/judge/data/input_rule.h"
#include "evolution/judge/launches/session.h"

namespace cupilot::judge::launches {

/// The rule of the setting's family for an `in` or `inout` buffer, with the setting's nudge, promotion and
/// rounding; `name`: that of its parameter. The bytes of a class type are filled as floats; a rest shorter
/// than a float is not part of the rule and has to be zero.
Result<data::InputRule> buffer_rule(const cases::CaseLayout &layout, const cases::PlacedBuffer &buffer,
                                    const std::string &name, const Setting &setting);

/// What a member of a class type holds, counted over all elements.
struct MemberRule {
  spec::Member member;
  data::InputRule rule;
};
/// The same for the members of a class type, if the buffer has them: a fill speaks of the members that it
/// suits, the others have the content of an automatic fill.
Result<std::vector<MemberRule>> member_rules(const cases::CaseLayout &layout,
                                             const cases::PlacedBuffer &buffer, const std::string &name,
                                             const Setting &setting);

}  // namespace cupilot::judge::launches
