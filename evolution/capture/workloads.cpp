// SPDX-License-Identifier: Apache-2.0

#include "evolution/capture/workloads.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <functional>
#include <map>
#include <optional>
#include <set>

#include "annotate/directive/expression.h"
#include "annotate/support/text.h"
#include "evolution/capture/fills.h"
#include "evolution/capture/fit.h"
#include "evolution/capture/lifted_sizes.h"

namespace cupilot::capture {
namespace {

constexpr std::size_t kMostFitted = 64;  ///< shapes that expressions are fitted to, those with the most work
constexpr std::size_t kMostCandidates = 12;  ///< expressions tried for each size of a launch
constexpr const char *kZeros = "zeros", *kCountsUp = "iota", *kPermuted = "permutation";
constexpr const char *kOwn = "seen";  ///< how our workloads' names begin

using Shapes = std::vector<const SeenShape *>;

const SeenBuffer *buffer_of(const SeenLaunch &launch, const std::string &parameter) {
  const auto found = std::ranges::find(launch.buffers, parameter, &SeenBuffer::parameter);
  return found == launch.buffers.end() ? nullptr : &*found;
}

/// Why no workload can say what this launch was given; empty: one can.
std::string unsayable(const spec::KernelSpec &kernel, const SeenLaunch &launch) {
  for (const spec::Parameter &parameter : kernel.parameters) {
    if (!parameter.pointer && parameter.element == spec::ElementType::opaque)
      return fmt::format("'{}' is of class type '{}', which a workload cannot give a value", parameter.name,
                         parameter.type);
    if (!parameter.pointer) continue;
    const SeenBuffer *const buffer = buffer_of(launch, parameter.name);
    if (!buffer || buffer->null)
      return fmt::format("'{}' is a null pointer, which a workload cannot say", parameter.name);
    if (buffer->bytes == 0)
      return fmt::format("'{}' points to memory that CUDA did not allocate", parameter.name);
    if (parameter.element_bytes == 0 || buffer->bytes < parameter.element_bytes)
      return fmt::format("'{}' points to '{}', of which there is not one element", parameter.name,
                         parameter.element_type);
  }
  for (const SeenScalar &scalar : launch.scalars)
    if (scalar.value.empty())
      return fmt::format("'{}' is no finite number, which is all that a workload can set", scalar.parameter);
  return "";
}

/// In bytes; 0: nothing was, or it was not told.
std::uint64_t touched_end(const SeenBuffer &seen) {
  return std::max(seen.read_end.value_or(0), seen.written_end.value_or(0));
}

/// Bytes of a class that are not numbers may be pointers.
bool can_be_filled(const spec::Parameter &parameter) {
  return parameter.element != spec::ElementType::opaque || !parameter.members.empty();
}

/// Everything about one kernel that its workloads share.
class Writer {
public:
  Writer(const spec::KernelSpec &kernel, Shapes shapes, const WorkloadOptions &options)
      : kernel_(kernel), shapes_(std::move(shapes)), options_(options) {
    for (const spec::Parameter &parameter : kernel.parameters) names_.push_back(parameter.name);
    lifted_ = buffers_of(kernel.lifted, names_);
    conditions_ = conditions_of(kernel.lifted);
    std::ranges::stable_sort(shapes_, std::greater{}, &SeenShape::work);
    fitted_ = shapes_;
    fitted_.resize(std::min(fitted_.size(), kMostFitted));
  }

  Workloads run() {
    scalars();
    launch();
    for (const spec::Parameter &parameter : kernel_.parameters)
      if (parameter.pointer) find_offsets(parameter);
    for (const spec::Parameter &parameter : kernel_.parameters)
      if (parameter.pointer) buffer(parameter);
    for (const Buffer &one : buffers_)
      if (one.role != spec::BufferRole::out && !can_be_filled(*one.parameter)) {
        made_.missing = fmt::format("'{}' has elements of type '{}', which no fill can make",
                                    one.parameter->name, one.parameter->element_type);
        return std::move(made_);
      }
    for (Buffer &one : buffers_) one.above = above(one);
    write();
    return std::move(made_);
  }

private:
  struct Buffer {
    const spec::Parameter *parameter;
    spec::BufferRole role;
    std::string extent;  ///< empty: a number of each shape
    std::string above;   ///< what its whole numbers are below of; empty: a number of each shape
  };

  void scalars() {
    for (std::size_t i = 0; i < fitted_[0]->first.scalars.size(); ++i) {
      const SeenScalar &scalar = fitted_[0]->first.scalars[i];
      if (!scalar.whole || is_boolean(scalar.parameter)) continue;
      Column column{scalar.parameter, {}};
      for (const SeenShape *shape : fitted_)
        column.values.push_back(std::atoll(shape->first.scalars[i].value.c_str()));
      columns_.push_back(std::move(column));
    }
  }

  bool is_boolean(const std::string &name) const {
    const auto found = std::ranges::find(kernel_.parameters, name, &spec::Parameter::name);
    return found != kernel_.parameters.end() && found->element == spec::ElementType::boolean;
  }

  /// A size that follows from nothing gets a name of its own, which each workload sets.
  std::vector<std::string> sizes(const std::string &own, Sought sought, std::int64_t block,
                                 const std::function<std::int64_t(const SeenLaunch &)> &size) {
    std::vector<std::int64_t> targets;
    for (const SeenShape *shape : fitted_) targets.push_back(size(shape->first));
    auto texts = expressions_for(targets, columns_, sought, block);
    texts.resize(std::min(texts.size(), kMostCandidates));
    if (!texts.empty()) return texts;
    return {own_name(own, targets, size)};
  }

  std::string own_name(std::string name, const std::vector<std::int64_t> &values,
                       const std::function<std::int64_t(const SeenLaunch &)> &size) {
    while (std::ranges::find(names_, name) != names_.end()) name += "_";
    own_.push_back({name, size});
    columns_.push_back({name, values});
    return name;
  }

  void launch() {
    static constexpr const char *kAxes[] = {"x", "y", "z"};
    for (std::size_t axis = 0; axis < 3; ++axis)
      block_[axis] = sizes(fmt::format("threads_{}", kAxes[axis]), Sought::threads, 1,
                           [axis](const SeenLaunch &seen) { return seen.block[axis]; })[0];
    shared_ = sizes("shared_bytes", Sought::threads, 1,
                    [](const SeenLaunch &seen) { return static_cast<std::int64_t>(seen.shared_bytes); })[0];
    std::array<std::vector<std::string>, 3> grids;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const auto &block = fitted_[0]->first.block;
      const std::int64_t threads = axis == 0 && block[1] == 1 ? block[0] : block[axis];
      grids[axis] = sizes(fmt::format("blocks_{}", kAxes[axis]), Sought::blocks, threads,
                          [axis](const SeenLaunch &seen) { return seen.grid[axis]; });
    }
    for (std::size_t axis = 0; axis < 3; ++axis) {
      if (grids[1] != std::vector<std::string>{"1"}) by_usual_names(grids[axis], axis);
      grid_[axis] = grids[axis][0];
    }
    if (!conditions_.empty()) choose_grid(grids);
  }

  /// Where several names had one value, that of another axis comes one place later than its turn.
  static void by_usual_names(std::vector<std::string> &texts, std::size_t axis) {
    static const std::array<std::set<std::string>, 3> kUsual{
        {{"width", "w", "cols", "columns", "nx", "xdim", "dimx", "n"},
         {"height", "h", "rows", "ny", "ydim", "dimy", "m"},
         {"depth", "d", "nz", "zdim", "dimz", "batch"}}};
    constexpr double kLater = 1.5;
    std::vector<std::pair<double, std::string>> ranked;
    for (std::size_t i = 0; i < texts.size(); ++i) {
      double rank = static_cast<double>(i);
      for (std::string name : directive::names_in_expression(texts[i])) {
        std::ranges::transform(name, name.begin(), [](unsigned char c) { return std::tolower(c); });
        for (std::size_t other = 0; other < kUsual.size(); ++other)
          if (other != axis && kUsual[other].contains(name)) rank += kLater;
      }
      ranked.emplace_back(rank, texts[i]);
    }
    std::ranges::stable_sort(ranked, {}, &std::pair<double, std::string>::first);
    for (std::size_t i = 0; i < texts.size(); ++i) texts[i] = ranked[i].second;
  }

  /// The first grid that meets what the lifted form asks of a launch at other sizes, too.
  void choose_grid(const std::array<std::vector<std::string>, 3> &grids) {
    const auto first = grid_;
    const auto tried = scopes_around();
    for (std::size_t sum = 0; sum < 3 * kMostCandidates; ++sum)
      for (std::size_t x = 0; x < grids[0].size(); ++x)
        for (std::size_t y = 0; y < grids[1].size() && x + y <= sum; ++y) {
          const std::size_t z = sum - x - y;
          if (z >= grids[2].size()) continue;
          grid_ = {grids[0][x], grids[1][y], grids[2][z]};
          if (std::ranges::all_of(tried, [&](const auto &scope) { return meets(scope); })) return;
        }
    grid_ = first;
  }

  /// The names at each shape, and with one of them larger or smaller.
  std::vector<directive::Scope> scopes_around() const {
    std::vector<directive::Scope> scopes;
    for (std::size_t i = 0; i < std::min<std::size_t>(fitted_.size(), 4); ++i) {
      const auto base = scope_at(i);
      scopes.push_back(base);
      for (const Column &column : columns_)
        for (const auto value : {column.values[i] + 1, 2 * column.values[i] + 3, column.values[i] / 2}) {
          if (value < 1) continue;
          scopes.push_back(base);
          scopes.back()[column.name] = value;
        }
    }
    return scopes;
  }

  directive::Scope scope_at(std::size_t shape) const {
    directive::Scope scope;
    for (const Column &column : columns_) scope[column.name] = column.values[shape];
    return scope;
  }

  bool meets(directive::Scope scope) const {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const auto grid = directive::evaluate_integer(grid_[axis], scope),
                 block = directive::evaluate_integer(block_[axis], scope);
      if (!grid || !block) return false;
      const std::string name(1, "xyz"[axis]);
      scope["grid_" + name] = *grid;
      scope["block_" + name] = *block;
    }
    return std::ranges::all_of(conditions_, [&](const std::string &condition) {
      const auto value = directive::evaluate_expression(condition, scope);
      return !value || *value != directive::Value(std::int64_t{0});
    });
  }

  const Contents &contents_at(std::size_t shape, const spec::Parameter &parameter) const {
    return buffer_of(fitted_[shape]->first, parameter.name)->contents;
  }

  /// The largest of offsets into another buffer is that buffer's size.
  void find_offsets(const spec::Parameter &parameter) {
    std::vector<std::int64_t> largest;
    for (std::size_t i = 0; i < fitted_.size(); ++i) {
      const Contents &contents = contents_at(i, parameter);
      if (!is_sorted(contents, parameter)) return;
      largest.push_back(static_cast<std::int64_t>(contents.greatest));
    }
    offsets_.push_back(std::move(largest));
  }

  void buffer(const spec::Parameter &parameter) {
    Buffer made{&parameter, role_of(parameter), extent_of(parameter), ""};
    if (made.extent.empty() || is_number(made.extent)) {
      const auto there = elements(parameter, false);
      if (std::ranges::find(offsets_, there) != offsets_.end())
        made.extent = own_name(parameter.name + "_size", there, [&parameter](const SeenLaunch &launch) {
          return elements_of(*buffer_of(launch, parameter.name), parameter);
        });
    }
    if (made.extent.empty())
      made_.notes.push_back(
          fmt::format("the size of '{}' follows from no number that the kernel is given: it is written as it "
                      "was seen, and "
                      "neighbours of these workloads may not be judged",
                      parameter.name));
    buffers_.push_back(std::move(made));
  }

  static std::int64_t elements_of(const SeenBuffer &seen, const spec::Parameter &parameter) {
    return static_cast<std::int64_t>(seen.bytes / parameter.element_bytes);
  }

  /// Indices are below the size of what they lead into: a name or the size of another buffer that is as
  /// large, or hardly larger where there are many.
  std::string above(const Buffer &one) const {
    constexpr std::int64_t kNear = 100;  ///< one in so many
    std::vector<std::int64_t> ends;
    bool sorted = true;
    for (std::size_t i = 0; i < fitted_.size(); ++i) {
      const Contents &contents = contents_at(i, *one.parameter);
      if (!has_whole_range(contents, *one.parameter)) return "";
      sorted = sorted && is_sorted(contents, *one.parameter);
      ends.push_back(static_cast<std::int64_t>(contents.greatest) + 1);
    }
    std::vector<std::string> texts;
    for (const Buffer &other : buffers_)
      if (&other != &one && !other.extent.empty() && !is_number(other.extent)) texts.push_back(other.extent);
    for (const Column &column : columns_) texts.push_back(column.name);
    for (const bool exact : {true, false})
      for (const std::string &text : texts) {
        const auto values = values_of(text);
        bool fits = values.has_value();
        for (std::size_t i = 0; fits && i < ends.size(); ++i) {
          const auto end = sorted ? ends[i] - 1 : ends[i];
          fits = (*values)[i] >= end && (*values)[i] - end <= (exact ? 0 : end / kNear);
        }
        if (fits) return sorted ? text + " + 1" : text;
      }
    return "";
  }

  spec::BufferRole role_of(const spec::Parameter &parameter) const {
    if (parameter.const_pointee) return spec::BufferRole::in;
    bool told = false, reads = false, writes = false;
    for (const SeenShape *shape : shapes_) {
      const SeenBuffer &seen = *buffer_of(shape->first, parameter.name);
      told = told || seen.written_end;
      writes = writes || seen.written_end.value_or(0) > 0;
      reads = reads || seen.reads_input;
    }
    if (!told && !kernel_.lifted.body.empty()) {
      writes = lifted_.written.contains(parameter.name);
      reads = lifted_.read.contains(parameter.name);
    } else if (!told) {  // zeros over zeros are no change, and were written all the same
      const auto &only_read = kernel_.lifted.only_read, &only_written = kernel_.lifted.only_written;
      writes = std::ranges::find(only_read, parameter.name) == only_read.end();
      reads = std::ranges::find(only_written, parameter.name) == only_written.end();
    }
    if (!writes) return spec::BufferRole::in;
    return reads ? spec::BufferRole::inout : spec::BufferRole::out;
  }

  /// Elements of a buffer at each fitted shape: that there are, and that were touched at least.
  std::vector<std::int64_t> elements(const spec::Parameter &parameter, bool touched) const {
    std::vector<std::int64_t> counts;
    for (const SeenShape *shape : fitted_) {
      const SeenBuffer &seen = *buffer_of(shape->first, parameter.name);
      const auto bytes = touched ? touched_end(seen) + parameter.element_bytes - 1 : seen.bytes;
      counts.push_back(static_cast<std::int64_t>(bytes / parameter.element_bytes));
    }
    return counts;
  }

  /// An allocation's own size is the likeliest, unless the lifted form accesses more at other sizes; then
  /// what the lifted form or the accesses themselves say.
  std::string extent_of(const spec::Parameter &parameter) const {
    const auto there = elements(parameter, false), least = elements(parameter, true);
    const auto fits = [&](const std::string &text) {
      const auto values = values_of(text);
      for (std::size_t i = 0; i < fitted_.size(); ++i)
        if (!values || (*values)[i] > there[i] || (*values)[i] < std::max<std::int64_t>(least[i], 1))
          return false;
      return true;
    };
    const auto lifted = lifted_extent(parameter, there, least);
    const auto whole = expressions_for(there, columns_, Sought::extent);
    for (const auto &text : whole)
      if (fits(text) && (lifted.empty() ? !is_number(text) : covers(text, lifted))) return text;
    if (!lifted.empty()) return lifted;
    for (const auto &text : expressions_for(least, columns_, Sought::extent))
      if (fits(text) && !is_number(text)) return text;
    const auto number = std::ranges::find_if(whole, is_number);
    return number == whole.end() ? "" : *number;
  }

  static bool is_number(const std::string &text) {
    return text.find_first_not_of("0123456789") == std::string::npos;
  }

  /// Whether it is at least as large as another expression at sizes around those seen, too.
  bool covers(const std::string &text, const std::string &other) const {
    return std::ranges::all_of(scopes_around(), [&](const directive::Scope &scope) {
      const auto value = directive::evaluate_integer(text, scope),
                 needed = directive::evaluate_integer(other, scope);
      return value && needed && *value >= *needed;
    });
  }

  /// The largest end of an access that the buffer has at every shape.
  std::string lifted_extent(const spec::Parameter &parameter, const std::vector<std::int64_t> &there,
                            const std::vector<std::int64_t> &least) const {
    const auto found = lifted_.ends.find(parameter.name);
    if (found == lifted_.ends.end() || lifted_.unknown.contains(parameter.name)) return "";
    std::string best;
    std::vector<std::int64_t> most(fitted_.size(), 0);
    for (const std::string &text : found->second) {
      const auto values = values_of(text);
      if (!values) continue;
      bool larger = true;
      for (std::size_t i = 0; i < fitted_.size(); ++i)
        larger = larger && (*values)[i] <= there[i] && (*values)[i] >= std::max(most[i], least[i]);
      if (!larger || (!best.empty() && *values == most)) continue;
      best = text;
      most = *values;
    }
    return best;
  }

  std::optional<std::vector<std::int64_t>> values_of(const std::string &text) const {
    std::vector<std::int64_t> values;
    for (std::size_t i = 0; i < fitted_.size(); ++i) {
      const auto value = directive::evaluate_integer(text, scope_at(i));
      if (!value) return std::nullopt;
      values.push_back(*value);
    }
    return values;
  }

  /// The shapes with the most work are timed; of the others the smallest is a check, and the next a hold-out.
  void write() {
    const double all = work_of(shapes_.size());
    std::size_t timed = 1;
    while (timed < std::min(shapes_.size(), options_.most) && shapes_[timed]->work >= 0.01 * all) ++timed;
    for (std::size_t i = 0; i < timed; ++i) {
      const double share = shapes_[i]->work / std::max(work_of(timed), 1e-300);
      const auto weight = timed == 1 ? "" : fmt::format(" weight({:.2g})", std::max(share, 0.01));
      workload(*shapes_[i], all, weight);
    }
    const Shapes rest(shapes_.begin() + static_cast<std::ptrdiff_t>(timed), shapes_.end());
    if (rest.empty()) return;
    const auto least = std::ranges::min_element(rest, {}, [](const SeenShape *shape) {
      return shape->work / static_cast<double>(std::max<std::uint64_t>(shape->launches, 1));
    });
    workload(**least, all, " check");
    if (rest.size() > 1) workload(*(rest[0] == *least ? rest[1] : rest[0]), all, " holdout");
    if (rest.size() > 2)
      made_.notes.push_back(fmt::format("{} further shapes became no workloads", rest.size() - 2));
  }

  double work_of(std::size_t count) const {
    double sum = 0;
    for (std::size_t i = 0; i < count; ++i) sum += shapes_[i]->work;
    return sum;
  }

  void workload(const SeenShape &shape, double all, const std::string &last) {
    const std::string id = kOwn + std::to_string(made_.ids.size() + 1);
    made_.ids.push_back(id);
    const double share = all > 0 ? 100 * shape.work / all : 100;
    std::vector<std::string> set, fills;
    for (const auto &[name, size] : own_) set.push_back(fmt::format("{} = {}", name, size(shape.first)));
    for (const SeenScalar &scalar : shape.first.scalars)
      set.push_back(fmt::format("{} = {}", scalar.parameter, scalar.value));
    std::map<std::string, std::vector<std::string>> roles;
    const bool drawn = std::ranges::any_of(buffers_, [&](const Buffer &one) { return is_drawn(one, shape); });
    for (const Buffer &one : buffers_) {
      const SeenBuffer &seen = *buffer_of(shape.first, one.parameter->name);
      roles[spec::to_string(one.role)].push_back(
          fmt::format("{}[{}]", one.parameter->name, one.extent.empty() ? count_of(one, seen) : one.extent));
      if (one.role == spec::BufferRole::out) continue;
      auto fill = fill_of(seen.contents, *one.parameter, one.role, one.above);
      if (fill == kCountsUp && !drawn) fill = kPermuted;
      if (fill == kZeros && !drawn && spec::is_floating(one.parameter->element)) fill.clear();
      if (!fill.empty()) fills.push_back(fmt::format("{} = {}", one.parameter->name, fill));
    }
    std::vector<std::string> clauses;
    if (!set.empty()) clauses.push_back(fmt::format("set({})", join(set, ", ")));
    for (const char *role : {"in", "inout", "out"})
      if (roles.contains(role)) clauses.push_back(fmt::format("{}({})", role, join(roles[role], ", ")));
    if (!fills.empty()) clauses.push_back(fmt::format("fill({})", join(fills, ", ")));
    clauses.push_back(launch_text() + last);
    made_.text +=
        fmt::format("// {} launch{}, {:.{}f} % of the work\nworkload({}) {}\n", shape.launches,
                    shape.launches == 1 ? "" : "es", share, share < 10 ? 1 : 0, id, join(clauses, "\n    "));
  }

  /// Whether its content is random: of one input at least it has to be, or nothing could be judged.
  static bool is_drawn(const Buffer &one, const SeenShape &shape) {
    if (one.role == spec::BufferRole::out) return false;
    const Contents &contents = buffer_of(shape.first, one.parameter->name)->contents;
    const auto fill = fill_of(contents, *one.parameter, one.role, one.above);
    return fill != kZeros && fill != kCountsUp;
  }

  static std::string count_of(const Buffer &buffer, const SeenBuffer &seen) {
    const auto end = touched_end(seen);
    const auto bytes = end > 0 ? end : seen.bytes;
    return std::to_string((bytes + buffer.parameter->element_bytes - 1) / buffer.parameter->element_bytes);
  }

  static std::string dimensions(const std::array<std::string, 3> &sizes) {
    if (sizes[1] == "1" && sizes[2] == "1") return sizes[0];
    return sizes[2] == "1" ? fmt::format("dim3({}, {})", sizes[0], sizes[1])
                           : fmt::format("dim3({}, {}, {})", sizes[0], sizes[1], sizes[2]);
  }

  std::string launch_text() const {
    return fmt::format("launch({}, {}{})", dimensions(grid_), dimensions(block_),
                       shared_ == "0" ? "" : ", " + shared_);
  }

  const spec::KernelSpec &kernel_;
  Shapes shapes_, fitted_;
  const WorkloadOptions &options_;
  std::vector<std::string> names_;
  LiftedBuffers lifted_;
  std::vector<std::string> conditions_;
  std::vector<Column> columns_;
  struct OwnName {
    std::string name;
    std::function<std::int64_t(const SeenLaunch &)> size;
  };
  std::vector<OwnName> own_;
  std::array<std::string, 3> grid_, block_;
  std::string shared_;
  std::vector<std::vector<std::int64_t>> offsets_;  ///< the largest of each buffer of offsets, by shape
  std::vector<Buffer> buffers_;
  Workloads made_;
};

bool is_our_line(std::string_view line) {
  return line.starts_with(std::string("workload(") + kOwn) || line.starts_with("//");
}

}  // namespace

Workloads workloads_of(const spec::KernelSpec &kernel, const std::vector<SeenShape> &shapes,
                       const WorkloadOptions &options) {
  Shapes usable;
  std::set<std::string> why;
  for (const SeenShape &shape : shapes) {
    const auto reason = unsayable(kernel, shape.first);
    if (reason.empty())
      usable.push_back(&shape);
    else
      why.insert(reason);
  }
  Workloads none;
  if (usable.empty()) {
    none.missing = shapes.empty() ? "it was not launched" : *why.begin();
    return none;
  }
  auto made = Writer(kernel, usable, options).run();
  for (const auto &reason : why) made.notes.push_back("some launches are left out: " + reason);
  return made;
}

std::string workload_file(const std::string &old, const Workloads &workloads, const std::string &command) {
  std::string kept;
  bool ours = true;
  for (const std::string &line : split_lines(old)) {
    if (!line.empty() && line[0] != ' ' && line[0] != '\t') ours = is_our_line(line);
    if (!ours && !trim(line).empty()) kept += line + "\n";
  }
  return "// Written by 'cupilot capture' from " + command +
         ". The next capture writes the workloads called seen<n>\n"
         "// and the comments anew; it keeps workloads of other names.\n" +
         kept + workloads.text;
}

}  // namespace cupilot::capture
