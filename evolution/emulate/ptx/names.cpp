// SPDX-License-Identifier: Apache-2.0

#include "evolution/emulate/ptx/names.h"

namespace cupilot::emulate::ptx {
namespace {

constexpr std::uint32_t kNoParent = 0xffffffff;

}  // namespace

void Names::open() {
  Scope scope;
  scope.number = static_cast<std::uint32_t>(parents_.size());
  scope.deepest_range = scopes_.empty() ? 0 : scopes_.back().deepest_range;
  parents_.push_back(scopes_.empty() ? kNoParent : scopes_.back().number);
  scopes_.push_back(std::move(scope));
}

void Names::close() {
  Scope &scope = scopes_.back();
  for (auto one = scope.shadowed.rbegin(); one != scope.shadowed.rend(); ++one)
    names_[one->first] = one->second;
  for (const std::string_view prefix : scope.ranges) ranges_[prefix].pop_back();
  scopes_.pop_back();
}

/// What the name means from here to the end of the scope that `meaning` belongs to.
void Names::set(std::string_view name, const Name &meaning) {
  Name &place = names_[name];
  scopes_[meaning.depth - 1].shadowed.emplace_back(name, place);
  place = meaning;
}

bool Names::add(std::string_view name, Name meaning) {
  meaning.depth = static_cast<std::uint32_t>(depth());
  const auto known = names_.find(name);
  if (known != names_.end() && known->second.depth == meaning.depth) return false;
  set(name, meaning);
  return true;
}

bool Names::add_register(std::string_view name, const Type &type, std::uint8_t vector) {
  const auto index = static_cast<std::uint32_t>(function_.registers.size());
  if (!add(name, {Name::Kind::reg, index, 0, {}})) return false;
  function_.registers.push_back({name, type, vector});
  return true;
}

bool Names::add_range(std::string_view prefix, std::uint64_t count, const Type &type, std::uint8_t vector) {
  std::vector<Range> &known = ranges_[prefix];
  const auto here = static_cast<std::uint32_t>(depth());
  if (!known.empty() && known.back().depth == here) return false;
  known.push_back({type, vector, count, here});
  scopes_.back().ranges.push_back(prefix);
  scopes_.back().deepest_range = here;
  return true;
}

bool Names::add_symbol(std::string_view name, std::string_view unique) {
  return add(name, {Name::Kind::symbol, 0, 0, unique});
}

Name Names::find(std::string_view name) {
  Name exact;
  if (const auto known = names_.find(name); known != names_.end()) exact = known->second;
  if (exact.kind != Name::Kind::none && exact.depth >= scopes_.back().deepest_range) return exact;
  return from_range(name, exact);
}

/// "%r12" may be number 12 of %r<...> or number 2 of %r1<...>; numbers have no leading zeros.
Name Names::from_range(std::string_view name, const Name &outer) {
  constexpr std::size_t kMostDigits = 10;
  std::uint64_t number = 0, weight = 1;
  for (std::size_t digits = 1; digits <= kMostDigits && digits < name.size(); ++digits, weight *= 10) {
    const char digit = name[name.size() - digits];
    if (digit < '0' || digit > '9') break;
    number += weight * static_cast<std::uint64_t>(digit - '0');
    if (digit == '0' && digits > 1) continue;
    const auto ranges = ranges_.find(name.substr(0, name.size() - digits));
    if (ranges == ranges_.end() || ranges->second.empty()) continue;
    const Range &range = ranges->second.back();
    if (number >= range.count || range.depth <= outer.depth) continue;
    const Name meaning{
        Name::Kind::reg, static_cast<std::uint32_t>(function_.registers.size()), range.depth, {}};
    function_.registers.push_back({name, range.type, range.vector});
    set(name, meaning);
    return meaning;
  }
  return outer;
}

void Names::add_label(std::string_view name, std::uint32_t statement, bool &twice) {
  twice = !labels_.emplace(LabelKey{scope(), name}, statement).second;
}

std::int64_t Names::label(std::string_view name, std::uint32_t scope) const {
  for (; scope != kNoParent; scope = parents_[scope])
    if (const auto found = labels_.find({scope, name}); found != labels_.end()) return found->second;
  return -1;
}

}  // namespace cupilot::emulate::ptx
