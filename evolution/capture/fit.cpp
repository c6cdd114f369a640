// SPDX-License-Identifier: Apache-2.0

#include "evolution/capture/fit.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <set>
#include <utility>

namespace cupilot::capture {
namespace {

using Values = std::vector<std::int64_t>;

constexpr std::size_t kMostColumns = 12;  ///< of which products are made
constexpr double kMostOuter = 2.5;        ///< cost of what numbers of tiles are multiplied with

// What a form costs beside its names, each of which costs 1: the likelier, the cheaper. Chosen so that a
// product of sizes comes before a number, and a number before a coincidence.
constexpr double kTimes = 0.6, kManyTimes = 1.3, kOddTimes = 3, kOffset = 0.7, kPlus = 1.2, kSum = 1.5,
                 kSquare = 1.5, kQuotient = 0.3, kOddQuotient = 2, kNumberOfExtent = 3.2,
                 kNumberOfBlocks = 2.6;

struct Product {
  std::string text;
  Values values;
  double cost = 0;
  bool single = true;  ///< one factor
};

struct Found {
  double cost;
  std::string text;
};

bool multiply(const Values &a, const Values &b, Values &into) {
  into.resize(a.size());
  for (std::size_t i = 0; i < a.size(); ++i)
    if (__builtin_mul_overflow(a[i], b[i], &into[i])) return false;
  return true;
}

/// Names, and names plus or minus one.
std::vector<Product> factors_of(const std::vector<Column> &columns) {
  std::vector<Product> factors;
  for (std::size_t i = 0; i < std::min(columns.size(), kMostColumns); ++i) {
    const auto &[name, values] = columns[i];
    if (std::ranges::any_of(values, [](std::int64_t value) { return value <= 0; })) continue;
    if (std::ranges::all_of(values, [](std::int64_t value) { return value == 1; })) continue;  // all would do
    const double place = 0.001 * static_cast<double>(i);
    factors.push_back({name, values, 1 + place});
    for (const int by : {1, -1}) {
      Values moved = values;
      for (auto &value : moved) value += by;
      factors.push_back({"(" + name + (by > 0 ? " + 1)" : " - 1)"), moved, 1 + kOffset + place});
    }
  }
  return factors;
}

/// Of up to four factors, the plain names of which may occur twice.
std::vector<Product> products_of(const std::vector<Column> &columns) {
  const auto factors = factors_of(columns);
  std::vector<Product> all = factors;
  std::size_t begin = 0;
  std::vector<std::size_t> last(factors.size());
  std::iota(last.begin(), last.end(), 0);
  for (int depth = 2; depth <= 4 && all.size() < 4096; ++depth) {
    const auto end = all.size();
    for (auto i = begin; i < end; ++i)
      for (auto f = last[i]; f < factors.size() && all.size() < 4096; ++f) {
        const bool square = f == last[i];
        if (square && depth > 2) continue;
        Product product{all[i].text + " * " + factors[f].text, {}, all[i].cost + factors[f].cost, false};
        if (square) product.cost += kSquare;
        if (!multiply(all[i].values, factors[f].values, product.values)) continue;
        all.push_back(std::move(product));
        last.push_back(f);
      }
    begin = end;
  }
  return all;
}

/// The number that every target is of its value.
std::optional<std::int64_t> ratio(const Values &targets, const Values &values) {
  if (values[0] == 0 || targets[0] % values[0] != 0) return std::nullopt;
  const auto by = targets[0] / values[0];
  for (std::size_t i = 0; i < targets.size(); ++i)
    if (values[i] * by != targets[i]) return std::nullopt;
  return by;
}

std::optional<std::int64_t> difference(const Values &targets, const Values &values) {
  const auto by = targets[0] - values[0];
  for (std::size_t i = 0; i < targets.size(); ++i)
    if (values[i] + by != targets[i]) return std::nullopt;
  return by;
}

bool power_of_two(std::int64_t value) {
  return value > 0 && (value & (value - 1)) == 0;
}

bool rounded_up(const Values &targets, const Values &values, std::int64_t by) {
  for (std::size_t i = 0; i < targets.size(); ++i)
    if ((values[i] + by - 1) / by != targets[i]) return false;
  return true;
}

bool varies(const Values &values) {
  return std::ranges::any_of(values, [&](std::int64_t value) { return value != values[0]; });
}

class Search {
public:
  Search(const Values &targets, const std::vector<Column> &columns, Sought sought, std::int64_t block)
      : targets_(targets), products_(products_of(columns)), sought_(sought), block_(block) {}

  std::vector<std::string> run() {
    number();
    for (const Product &product : products_) of_product(product);
    if (sought_ == Sought::extent) sums();
    std::ranges::stable_sort(found_, {}, &Found::cost);
    std::vector<std::string> texts;
    for (auto &one : found_)
      if (std::ranges::find(texts, one.text) == texts.end()) texts.push_back(std::move(one.text));
    return texts;
  }

private:
  void add(double cost, std::string text) { found_.push_back({cost, std::move(text)}); }

  void number() {
    if (varies(targets_)) return;
    const double cost = sought_ == Sought::threads || targets_[0] == 1 ? 0
                        : sought_ == Sought::extent                    ? kNumberOfExtent
                                                                       : kNumberOfBlocks;
    add(cost, std::to_string(targets_[0]));
  }

  void of_product(const Product &product) {
    const auto &[text, values, cost, single] = product;
    if (const auto by = ratio(targets_, values); by && *by > 0) {
      const bool usual = *by <= 16 || (power_of_two(*by) && *by <= 4096);
      if (*by == 1)
        add(cost, text.front() == '(' && single ? text.substr(1, text.size() - 2) : text);
      else
        add(cost + (*by <= 4 ? kTimes : usual ? kManyTimes : kOddTimes), std::to_string(*by) + " * " + text);
    }
    if (const auto by = difference(targets_, values);
        by && *by != 0 && (varies(values) ? *by > -4096 && *by < 4096 : *by >= -2 && *by <= 2))
      add(cost + kPlus, text + (*by > 0 ? " + " : " - ") + std::to_string(*by > 0 ? *by : -*by));
    quotients(product);
  }

  void quotients(const Product &product) {
    if (!varies(targets_) && targets_[0] == 1) return;  // anything would do
    quotients(product, targets_, 0, "", "");
    if (sought_ != Sought::blocks || product.cost > kMostOuter) return;
    Values tiles = targets_;  // as many blocks for each of another size
    for (std::size_t i = 0; i < tiles.size(); ++i) {
      if (product.values[i] == 0 || tiles[i] % product.values[i] != 0) return;
      tiles[i] /= product.values[i];
    }
    if (!varies(tiles) && tiles[0] == 1) return;
    for (const Product &inner : products_)
      if (inner.single && inner.cost < 1.5) quotients(inner, tiles, product.cost, product.text + " * (", ")");
  }

  void quotients(const Product &product, const Values &targets, double cost, const std::string &before,
                 const std::string &after) {
    std::set<std::int64_t> tried;
    const auto quotient = [&](std::int64_t by, double more) {
      if (by < 2 || !tried.insert(by).second || !rounded_up(targets, product.values, by)) return;
      add(product.cost + cost + more + 0.01 * static_cast<double>(tried.size()),
          before + "(" + product.text + " + " + std::to_string(by - 1) + ") / " + std::to_string(by) + after);
    };
    for (const std::int64_t times : {1, 2, 4, 8, 16, 32}) quotient(block_ * times, kQuotient);
    for (std::int64_t by = 2; by <= 1 << 20; by *= 2) quotient(by, kOddQuotient);
  }

  /// Of two products of at most two names each.
  void sums() {
    if (!varies(targets_)) return;  // too many would do
    for (std::size_t i = 0; i < products_.size(); ++i) {
      if (products_[i].cost > 2.5) continue;
      for (std::size_t j = i + 1; j < products_.size(); ++j) {
        if (products_[j].cost > 2.5) continue;
        bool same = true;
        for (std::size_t k = 0; k < targets_.size() && same; ++k)
          same = products_[i].values[k] + products_[j].values[k] == targets_[k];
        if (same)
          add(products_[i].cost + products_[j].cost + kSum, products_[i].text + " + " + products_[j].text);
      }
    }
  }

  const Values &targets_;
  std::vector<Product> products_;
  Sought sought_;
  std::int64_t block_;
  std::vector<Found> found_;
};

}  // namespace

std::vector<std::string> expressions_for(const std::vector<std::int64_t> &targets,
                                         const std::vector<Column> &columns, Sought sought,
                                         std::int64_t block) {
  if (targets.empty()) return {};
  return Search(targets, columns, sought, block).run();
}

}  // namespace cupilot::capture
