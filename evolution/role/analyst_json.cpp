// SPDX-License-Identifier: Apache-2.0
//
// Format: {"cupilot_answer":1,"roofline_class","digest":[],"roof_share"}.

#include <fmt/format.h>
#include <algorithm>
#include <array>

#include "evolution/role/analyst.h"
#include "evolution/role/answer_json.h"

namespace cupilot::role {
namespace {

constexpr std::string_view kAnalysisShape =
    R"({"cupilot_answer":1,"roofline_class":"memory-bound","digest":["..."],"roof_share":0.7})";
constexpr std::array<std::string_view, 5> kClasses{"memory-bound", "compute-bound", "latency-bound", "middle",
                                                   ""};
constexpr std::size_t kMostDigestSentence = 300;

}  // namespace

Result<Analysis> parse_analyst_answer(std::string_view answer) {
  return read_answer<Analysis>(
      answer, kAnalysisShape, [](const AnswerObject &object, const AnswerParts &parts) -> Result<Analysis> {
        CUPILOT_CHECKED(no_code(parts));
        CUPILOT_CHECKED(object.only({"cupilot_answer", "roofline_class", "digest", "roof_share"}));
        CUPILOT_TRY(roofline_class, object.optional_words("roofline_class", kMostTitle));
        if (std::ranges::find(kClasses, std::string_view(roofline_class)) == kClasses.end())
          return fail(fmt::format(
              "'roofline_class' is '{}', which is none of memory-bound, compute-bound, latency-bound "
              "and middle",
              roofline_class));
        CUPILOT_TRY(digest, object.list("digest", 1, kMostDigestSentences, kMostDigestSentence));
        CUPILOT_TRY(roof_share, object.number("roof_share", 0, 1));
        return Analysis{std::move(roofline_class), std::move(digest), roof_share};
      });
}

}  // namespace cupilot::role
