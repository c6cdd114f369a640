// SPDX-License-Identifier: Apache-2.0
//
// The steps of resolve_workload are scalars, buffers, fills and launch. The expressions of each step may use
// the names that were set before it.

#include "annotate/directive/resolve.h"

#include <algorithm>
#include <set>

#include "annotate/directive/clause_table.h"
#include "annotate/directive/expression.h"
#include "annotate/directive/operators.h"
#include "annotate/directive/resolve_fill.h"
#include "annotate/directive/value_range.h"
#include "annotate/directive/workload_roles.h"
#include "annotate/support/text.h"

namespace cupilot::directive {
namespace {

// On any machine of today a larger buffer is a typing mistake. The worker finds out whether a smaller one
// fits its GPU.
constexpr std::int64_t kMostBufferBytes = std::int64_t{1} << 40;
constexpr std::int64_t kMostThreads = 1024, kMostBlockZ = 64, kMostSharedBytes = 227 * 1024;
constexpr std::int64_t kMostGridX = (std::int64_t{1} << 31) - 1, kMostGridYZ = 65535;

class Resolver {
public:
  Resolver(const WorkloadDirective &directive, const KernelFacts &kernel,
           std::vector<Diagnostic> &diagnostics)
      : directive_(directive), kernel_(kernel), diagnostics_(diagnostics) {}

  spec::Workload run() {
    workload_.id = directive_.id ? directive_.id->text() : "";
    workload_.place = directive_.place;
    workload_.check = directive_.check;
    workload_.holdout = directive_.holdout.has_value();
    if (directive_.weight) weight(*directive_.weight);
    for (const SetEntry &entry : directive_.set) set(entry);
    unused_names();
    missing_scalars();
    for (const BufferEntry &entry : directive_.buffers) buffer(entry);
    missing_buffers();
    for (const FillEntry &entry : directive_.fills) fill(entry);
    undefined_contents();
    // A parameter without a value is reported already; here it would be reported again, as an unknown name.
    if (complete_) launch();
    return std::move(workload_);
  }

private:
  void complain(const SourcePlace &place, std::string message, std::string remedy = "") {
    diagnostics_.push_back({Severity::error, place, std::move(message), "", std::move(remedy)});
  }

  const spec::Parameter *parameter(std::string_view name) const {
    const auto found = std::ranges::find(kernel_.parameters, name, &spec::Parameter::name);
    return found == kernel_.parameters.end() ? nullptr : &*found;
  }

  std::vector<std::string> parameter_names(bool pointers) const {
    std::vector<std::string> names;
    for (const spec::Parameter &p : kernel_.parameters)
      if (p.pointer == pointers) names.push_back(p.name);
    return names;
  }

  std::optional<Value> evaluate(const PlacedText &text) {
    auto value = evaluate_expression(text.text(), scope_);
    if (value) return *value;
    const std::string &message = value.error().message;
    std::string remedy;
    if (message.starts_with("unknown name '")) {
      const std::string name = message.substr(14, message.size() - 15);
      const spec::Parameter *p = parameter(name);
      std::vector<std::string> known;
      for (const auto &[known_name, ignored] : scope_) known.push_back(known_name);
      if (failed_.contains(name)) return std::nullopt;  // said already
      remedy = p && !p->pointer ? "add set(" + name + " = ...) before it" : did_you_mean(name, known);
    }
    complain(text.place_at(value.error().offset), message, remedy);
    return std::nullopt;
  }

  std::optional<std::int64_t> evaluate_whole(const PlacedText &text, std::string_view what) {
    const auto value = evaluate(text);
    if (!value) return std::nullopt;
    if (const auto whole = as_whole(*value)) return whole;
    complain(text.place(), std::string(what) + " is not an integer: " + text.text());
    return std::nullopt;
  }

  void set(const SetEntry &entry) {
    const std::string &name = entry.name.text();
    const spec::Parameter *p = parameter(name);
    if (scope_.contains(name) || failed_.contains(name))
      return complain(entry.name.place(), in_quotes(name) + " is set twice", "keep one of them");
    if (p && p->pointer) {
      failed_.insert(name);
      return complain(entry.name.place(), in_quotes(name) + " is a pointer",
                      "describe it with in(" + name + "[elements])");
    }
    const auto value = evaluate(entry.value);
    const std::string trouble = !value ? "" : p ? misfit(*value, *p) : "";
    if (!trouble.empty()) complain(entry.value.place(), trouble);
    if (!value || !trouble.empty()) {
      failed_.insert(name);
      complete_ = false;
      return;
    }
    scope_[name] = *value;
    workload_.set.push_back({name, entry.value.text()});
  }

  /// The weight is evaluated before any name is set, because it must not depend on the workload's data.
  void weight(const PlacedText &text) {
    const auto value = evaluate_expression(text.text(), Scope());
    if (value) {
      workload_.weight = resolve_weight(text, as_double(*value), diagnostics_);
      return;
    }
    complain(text.place_at(value.error().offset), value.error().message,
             "a weight is a constant, like weight(2)");
  }

  /// A name that is neither a parameter nor used is most likely a misspelt parameter, which then has no
  /// value.
  void unused_names() {
    std::set<std::string> used;
    const auto use = [&](const PlacedText &text) {
      for (auto &name : names_in_expression(text.text())) used.insert(std::move(name));
    };
    for (const auto &entry : directive_.set) use(entry.value);
    for (const auto &entry : directive_.buffers) use(entry.extent);
    for (const auto &entry : directive_.fills) std::ranges::for_each(entry.arguments, use);
    if (directive_.launch) {
      std::ranges::for_each(directive_.launch->grid, use);
      std::ranges::for_each(directive_.launch->block, use);
      use(directive_.launch->shared_bytes);
    }
    for (const auto &entry : directive_.set) {
      const std::string &name = entry.name.text();
      if (parameter(name) || used.contains(name)) continue;
      complain(entry.name.place(),
               in_quotes(name) + " is neither a parameter of " + in_quotes(kernel_.name) + " nor used",
               did_you_mean(name, parameter_names(false)));
    }
  }

  void missing_scalars() {
    for (const spec::Parameter &p : kernel_.parameters) {
      if (p.pointer || scope_.contains(p.name) || failed_.contains(p.name)) continue;
      complete_ = false;
      failed_.insert(p.name);
      if (p.element == spec::ElementType::opaque)
        complain(directive_.place,
                 "parameter " + in_quotes(p.name) + " of type " + in_quotes(p.type) +
                     " cannot be given a value yet",
                 "only numbers and pointers are supported");
      else
        complain(directive_.place, "parameter " + in_quotes(p.name) + " has no value",
                 "add set(" + p.name + " = ...)");
    }
  }

  void buffer(const BufferEntry &entry) {
    const std::string &name = entry.name.text();
    const spec::Parameter *p = parameter(name);
    if (!p)
      return complain(entry.name.place(),
                      in_quotes(name) + " is not a parameter of " + in_quotes(kernel_.name),
                      did_you_mean(name, parameter_names(true)));
    if (!p->pointer)
      return complain(entry.name.place(), in_quotes(name) + " is not a pointer",
                      "give it a value with set(" + name + " = ...)");
    if (!described_.insert(name).second)
      return complain(entry.name.place(), in_quotes(name) + " is described twice", "keep one of them");
    if (p->const_pointee && entry.role != spec::BufferRole::in)
      complain(entry.name.place(), in_quotes(name) + " points to const, the kernel cannot write it",
               "describe it with in(" + name + "[...])");
    if (p->element_bytes == 0)
      return complain(entry.name.place(),
                      "elements of type " + in_quotes(p->element_type) + " are not supported",
                      "the parameter must point to elements of a complete, trivially copyable type");
    if (const auto extent = evaluate_whole(entry.extent, "the size of " + in_quotes(name)))
      check_extent(entry, *p, *extent);
    spec::BufferUse use;
    use.parameter = name;
    use.role = entry.role;
    use.extent = entry.extent.text();
    use.place = entry.name.place();
    workload_.buffers.push_back(std::move(use));
  }

  void check_extent(const BufferEntry &entry, const spec::Parameter &p, std::int64_t extent) {
    const std::string what = "the size of " + in_quotes(p.name);
    if (extent < 1)
      complain(entry.extent.place(), what + " is " + std::to_string(extent),
               "a buffer has at least one element");
    else if (extent > kMostBufferBytes / static_cast<std::int64_t>(p.element_bytes))
      complain(entry.extent.place(),
               what + " is " + std::to_string(extent) + " elements of " + std::to_string(p.element_bytes) +
                   " bytes, more than 1 TiB",
               "check the factors of " + in_quotes(entry.extent.text()));
  }

  void missing_buffers() {
    std::vector<spec::BufferUse> ordered;
    for (const spec::Parameter &p : kernel_.parameters) {
      if (!p.pointer) continue;
      const auto found = std::ranges::find(workload_.buffers, p.name, &spec::BufferUse::parameter);
      if (found != workload_.buffers.end())
        ordered.push_back(*found);
      else if (!described_.contains(p.name))
        complain(directive_.place, "pointer " + in_quotes(p.name) + " has no size",
                 "add " + std::string(p.const_pointee ? "in(" : "out(") + p.name + "[elements])" +
                     (p.const_pointee ? "" : ", or inout, in or scratch"));
    }
    workload_.buffers = std::move(ordered);
  }

  void fill(const FillEntry &entry) {
    const std::string &name = entry.name.text();
    const auto use = std::ranges::find(workload_.buffers, name, &spec::BufferUse::parameter);
    if (use == workload_.buffers.end()) {
      if (!described_.contains(name))
        complain(entry.name.place(), in_quotes(name) + " has a fill but is not a buffer of this workload",
                 did_you_mean(name, {described_.begin(), described_.end()}));
      return;
    }
    if (use->role == spec::BufferRole::out || use->role == spec::BufferRole::scratch)
      return complain(entry.name.place(),
                      in_quotes(name) + " is not read by the kernel, so a fill has no effect",
                      "describe it with inout(" + name + "[...]) if it is");
    if (use->fill.kind != spec::FillKind::automatic)
      return complain(entry.name.place(), in_quotes(name) + " is filled twice", "keep one of them");
    std::vector<double> numbers;
    for (const PlacedText &argument : entry.arguments) {
      if (entry.kind == spec::FillKind::file) break;
      const auto value = evaluate(argument);
      if (!value) return;
      numbers.push_back(as_double(*value));
    }
    auto made = resolve_fill(entry, *parameter(name), numbers, kernel_.source_folder);
    if (made)
      use->fill = std::move(*made);
    else
      diagnostics_.push_back(std::move(made).error());
  }

  /// Bytes of a class that are not numbers may be pointers; random ones would crash the original too.
  void undefined_contents() {
    for (const spec::BufferUse &use : workload_.buffers) {
      const bool read = use.role == spec::BufferRole::in || use.role == spec::BufferRole::inout;
      const spec::Parameter *p = parameter(use.parameter);
      const bool known = p->element != spec::ElementType::opaque || !p->members.empty();
      if (!read || known || use.fill.kind != spec::FillKind::automatic) continue;
      if (std::ranges::any_of(directive_.fills,
                              [&](const FillEntry &f) { return f.name.text() == use.parameter; }))
        continue;
      complain(use.place,
               in_quotes(use.parameter) + " has elements of type " + in_quotes(p->element_type) +
                   ", which have no default content",
               "add fill(" + use.parameter + " = zeros) or fill(" + use.parameter + " = file(\"x.npy\"))");
    }
  }

  void launch() {
    if (directive_.launch) return launch_clause(*directive_.launch);
    if (!kernel_.launch)
      return complain(directive_.place,
                      "the launch of " + in_quotes(kernel_.name) +
                          " cannot be derived from the source: " + kernel_.no_launch_reason,
                      "add launch(grid, block)");
    workload_.launch = *kernel_.launch;
    LaunchEntry entry{directive_.place, {}, {}, {}};
    const auto place = [&](const std::string &text) {
      return PlacedText(Token{TokenKind::name, text, directive_.place, false});
    };
    for (std::size_t i = 0; i < 3; ++i)
      entry.grid[i] = place(kernel_.launch->grid[i]), entry.block[i] = place(kernel_.launch->block[i]);
    entry.shared_bytes = place(kernel_.launch->shared_bytes);
    check_launch(entry);
  }

  void launch_clause(const LaunchEntry &entry) {
    for (std::size_t i = 0; i < 3; ++i) {
      if (!entry.grid[i].empty()) workload_.launch.grid[i] = entry.grid[i].text();
      if (!entry.block[i].empty()) workload_.launch.block[i] = entry.block[i].text();
    }
    if (!entry.shared_bytes.empty()) workload_.launch.shared_bytes = entry.shared_bytes.text();
    check_launch(entry);
  }

  void check_launch(const LaunchEntry &entry) {
    const std::array<std::int64_t, 3> most_grid{kMostGridX, kMostGridYZ, kMostGridYZ},
        most_block{kMostThreads, kMostThreads, kMostBlockZ};
    std::int64_t threads = 1;
    for (std::size_t i = 0; i < 3; ++i) {
      const std::string axis(1, "xyz"[i]);
      in_range(entry.grid[i], "grid." + axis, 1, most_grid[i]);
      threads *= in_range(entry.block[i], "block." + axis, 1, most_block[i]);
    }
    if (threads > kMostThreads)
      complain(entry.block[0].place(), "a block of " + std::to_string(threads) + " threads is more than " +
                                           std::to_string(kMostThreads));
    if (!entry.shared_bytes.empty())
      in_range(entry.shared_bytes, "dynamic shared memory", 0, kMostSharedBytes);
  }

  /// Returns the value, or reports what is wrong with it and returns `least`.
  std::int64_t in_range(const PlacedText &text, const std::string &what, std::int64_t least,
                        std::int64_t most) {
    if (text.empty()) return least;
    const auto value = evaluate_whole(text, what);
    if (!value) return least;
    if (*value >= least && *value <= most) return *value;
    complain(text.place(), what + " is " + std::to_string(*value) + " in this workload",
             "it must lie in [" + std::to_string(least) + ", " + std::to_string(most) + "]");
    return least;
  }

  const WorkloadDirective &directive_;
  const KernelFacts &kernel_;
  std::vector<Diagnostic> &diagnostics_;
  spec::Workload workload_;
  Scope scope_;
  std::set<std::string> failed_;     ///< names whose value was complained about
  std::set<std::string> described_;  ///< pointers some clause mentions
  bool complete_ = true;             ///< every scalar has a value
};

}  // namespace

spec::Workload resolve_workload(const WorkloadDirective &directive, const KernelFacts &kernel,
                                std::vector<Diagnostic> &diagnostics) {
  return Resolver(directive, kernel, diagnostics).run();
}

void name_workloads(std::vector<spec::Workload> &workloads, std::vector<Diagnostic> &diagnostics) {
  std::set<std::string> seen;
  for (spec::Workload &workload : workloads) {
    if (workload.id.empty() || seen.insert(workload.id).second) continue;
    diagnostics.push_back({Severity::error, workload.place, "workload '" + workload.id + "' is defined twice",
                           "", "give it another name"});
  }
  int number = 1;
  for (spec::Workload &workload : workloads) {
    while (workload.id.empty()) {
      const std::string id = "w" + std::to_string(number++);
      if (seen.insert(id).second) workload.id = id;
    }
  }
}

}  // namespace cupilot::directive
