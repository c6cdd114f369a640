// SPDX-License-Identifier: Apache-2.0
#include "evolution/strategy/pool.h"

#include <fmt/format.h>
#include <algorithm>
#include <cstdlib>
#include <set>

#include "annotate/support/files.h"
#include "annotate/support/process.h"
#include "annotate/support/text.h"
#include "evolution/strategy/pool_place.h"
#include "evolution/strategy/strategy_text.h"

namespace cupilot::strategy {
namespace {

namespace fs = std::filesystem;

Result<std::vector<fs::path>> strategy_files(const fs::path &folder) {
  std::error_code code;
  std::vector<fs::path> files;
  for (fs::directory_iterator entry(folder, code), end; !code && entry != end; entry.increment(code))
    if (entry->path().extension() == ".txt") files.push_back(entry->path());
  if (code) return fail(fmt::format("cannot read the strategy pool {}: {}", folder.string(), code.message()));
  if (files.empty()) return fail(fmt::format("the strategy pool {} has no *.txt file", folder.string()));
  std::ranges::sort(files);
  return files;
}

std::unexpected<Error> wrong_conflict(const std::string &id, const std::string &other,
                                      const std::set<std::string> &ids) {
  if (id == other) return fail(fmt::format("strategy '{}' is in conflict with itself; remove that line", id));
  const std::string near = closest(other, {ids.begin(), ids.end()});
  return fail(fmt::format("strategy '{}' is in conflict with '{}', which is not in the pool; {}", id, other,
                          near.empty() ? "name an id of the pool" : fmt::format("did you mean '{}'?", near)));
}

}  // namespace

Result<StrategyPool> StrategyPool::of(std::vector<model::Strategy> strategies) {
  std::set<std::string> ids;
  for (const model::Strategy &strategy : strategies)
    if (!ids.insert(strategy.id).second)
      return fail(fmt::format("two strategies have the id '{}'; rename one of them", strategy.id));
  for (const model::Strategy &strategy : strategies)
    for (const std::string &other : strategy.conflicts)
      if (other == strategy.id || !ids.contains(other)) return wrong_conflict(strategy.id, other, ids);
  StrategyPool pool;
  pool.strategies_ = std::move(strategies);
  return pool;
}

Result<StrategyPool> StrategyPool::load(const fs::path &folder) {
  CUPILOT_TRY(files, strategy_files(folder));
  std::vector<model::Strategy> strategies;
  std::string complaints;
  for (const fs::path &file : files) {
    CUPILOT_TRY(text, read_file(file));
    ParsedStrategy parsed = parse_strategy(text, file.string());
    for (const Diagnostic &diagnostic : parsed.diagnostics) complaints += "\n" + render(diagnostic);
    strategies.push_back(std::move(parsed.strategy));
  }
  if (!complaints.empty())
    return user_error(fmt::format("reading the strategy pool {}:{}", folder.string(), complaints));
  auto pool = of(std::move(strategies));
  if (!pool) return within("reading the strategy pool " + folder.string(), pool.error());
  return pool;
}

JoinedPool StrategyPool::with(const std::vector<std::string> &learned) const {
  JoinedPool joined{*this, {}};
  auto &strategies = joined.pool.strategies_;
  for (const std::string &text : learned) {
    ParsedStrategy parsed = parse_strategy(text, "learned strategy");
    if (!parsed.diagnostics.empty())
      joined.left_out.push_back(render(parsed.diagnostics.front()));
    else if (joined.pool.find(parsed.strategy.id) != nullptr)
      joined.left_out.push_back(fmt::format(
          "learned strategy '{}': the pool already has a strategy with this id", parsed.strategy.id));
    else
      strategies.push_back(std::move(parsed.strategy));
  }
  for (std::size_t i = strategies_.size(); i < strategies.size(); ++i)
    std::erase_if(strategies[i].conflicts,
                  [&](const std::string &id) { return joined.pool.find(id) == nullptr; });
  return joined;
}

const model::Strategy *StrategyPool::find(std::string_view id) const {
  const auto found = std::ranges::find(strategies_, id, &model::Strategy::id);
  return found == strategies_.end() ? nullptr : &*found;
}

Result<fs::path> find_strategies() {
  if (const char *folder = std::getenv("CUPILOT_STRATEGIES"); folder != nullptr && *folder != '\0')
    return folder;
  for (const fs::path &folder : {own_folder() / kPoolFromPrograms, fs::path(kPoolInSources)})
    if (fs::is_directory(folder)) return fs::weakly_canonical(folder);
  return fail("cannot find the strategy pool; set CUPILOT_STRATEGIES to the folder with its *.txt files");
}

}  // namespace cupilot::strategy
