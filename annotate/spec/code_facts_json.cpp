// SPDX-License-Identifier: Apache-2.0
//
// Facts as JSON: the names of those that hold, and two numbers. {"holds":["has_loop","sums"],"products":1,
// "product_depth":1}.

#include <algorithm>
#include <array>
#include <string_view>

#include "annotate/spec/json_convert.h"

namespace cupilot {
namespace {

struct Flag {
  std::string_view name;
  bool CodeFacts::*member;
};
constexpr auto kFlags = std::to_array<Flag>({
    {"has_loop", &CodeFacts::has_loop},
    {"has_barrier", &CodeFacts::has_barrier},
    {"has_shared_memory", &CodeFacts::has_shared_memory},
    {"has_atomic", &CodeFacts::has_atomic},
    {"has_shuffle", &CodeFacts::has_shuffle},
    {"shuffles_up", &CodeFacts::shuffles_up},
    {"folds_lanes", &CodeFacts::folds_lanes},
    {"calls_reduction", &CodeFacts::calls_reduction},
    {"has_matrix_unit", &CodeFacts::has_matrix_unit},
    {"is_two_dimensional", &CodeFacts::is_two_dimensional},
    {"computes_in_double", &CodeFacts::computes_in_double},
    {"has_transcendental", &CodeFacts::has_transcendental},
    {"has_exponential", &CodeFacts::has_exponential},
    {"has_root", &CodeFacts::has_root},
    {"sums", &CodeFacts::sums},
    {"folds", &CodeFacts::folds},
    {"keeps_place", &CodeFacts::keeps_place},
    {"scans", &CodeFacts::scans},
    {"multiplies", &CodeFacts::multiplies},
    {"multiplies_rows", &CodeFacts::multiplies_rows},
    {"compares_indices", &CodeFacts::compares_indices},
    {"divides", &CodeFacts::divides},
    {"gathers", &CodeFacts::gathers},
    {"has_loaded_bounds", &CodeFacts::has_loaded_bounds},
    {"has_rows", &CodeFacts::has_rows},
    {"is_strided", &CodeFacts::is_strided},
    {"has_strided_loop", &CodeFacts::has_strided_loop},
    {"has_window", &CodeFacts::has_window},
    {"is_stencil", &CodeFacts::is_stencil},
    {"stores", &CodeFacts::stores},
    {"named_convolution", &CodeFacts::named_convolution},
    {"named_loss", &CodeFacts::named_loss},
});

}  // namespace

void to_json(Json &json, const CodeFacts &facts) {
  json = {{"holds", Json::array()}};
  for (const auto &[name, member] : kFlags)
    if (facts.*member) json["holds"].push_back(name);
  json["products"] = facts.products;
  json["product_depth"] = facts.product_depth;
}

/// A fact this program does not know is left out: it would not be asked for.
void from_json(const Json &json, CodeFacts &facts) {
  facts = {.known = true};
  for (const Json &item : json.at("holds")) {
    const auto found = std::ranges::find(kFlags, item.get<std::string_view>(), &Flag::name);
    if (found != kFlags.end()) facts.*found->member = true;
  }
  json.at("products").get_to(facts.products);
  json.at("product_depth").get_to(facts.product_depth);
}

}  // namespace cupilot
