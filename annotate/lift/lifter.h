// SPDX-License-Identifier: Apache-2.0
//
// Goes through a kernel once, in the order of its text, and writes the lifted form. Names of the threads'
// coordinates stay in it ("global.x", "block_index.y", "thread.x"); axes.h makes loops of them.

#pragma once

#include <array>
#include <expected>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "annotate/lift/digits.h"
#include "annotate/lift/element.h"
#include "annotate/rewrite/analysis.h"
#include "annotate/rewrite/syntax.h"
#include "annotate/spec/kernel_spec.h"
#include "annotate/support/result.h"

namespace cupilot::lift {

template <class T>
using Lift = std::expected<T, spec::NotLifted>;
[[nodiscard]] inline std::unexpected<spec::NotLifted> not_lifted(std::string reason, int line) {
  return std::unexpected(spec::NotLifted{std::move(reason), line});
}

/// Whether anything is stored or updated.
bool writes(const Statements &statements);

inline bool is_integer(const rewrite::Type &type) {
  return type.kind == rewrite::Type::Kind::integer || type.kind == rewrite::Type::Kind::boolean;
}

/// Whether an expression is known at launch.
bool is_of_sizes(const spec::Expr &expr);

// Coordinates, before they are axes: "global.x" is blockIdx.x * blockDim.x + threadIdx.x.
inline constexpr const char *kGlobal = "global.", *kThread = "thread.", *kBlockIndex = "block_index.",
                            *kLane = "lane", *kWarp = "warp.";

/// Why a launch must have as many threads: rows of them share a loop's iterations.
inline constexpr const char *kRowsShare = "rows of threads share the work";

/// A condition that everything the kernel writes stands under.
struct Guard {
  spec::Expr condition;
  int line = 0;
  std::size_t from = 0;  ///< the statement it begins with
};

struct Walked {
  Statements body;
  std::vector<Guard> guards;
  std::vector<spec::Need> needs;
  std::vector<spec::Wide> wide;
  Sizes sizes;
  std::map<std::string, std::string> names;  ///< how the user calls a coordinate: global.x -> row
  std::set<std::string> used;                ///< names that are taken
  bool team = false;                         ///< threads of a block cooperate
  std::array<int, 3> block{};                ///< threads of a block; 0: not the same everywhere
  /// Folds over the whole grid of which each thread or block has a part: only an atomic operation may take
  /// them.
  std::map<std::string, std::string> parts;
};

/// Whether a condition over sizes holds in every workload.
bool holds_everywhere(const spec::Expr &condition, const Sizes &sizes, const spec::KernelSpec &spec);

class Lifter {
public:
  /// `share_own_loops`: what a thread folds in a loop of its own is its share of what the block folds.
  Lifter(const rewrite::Kernel &kernel, const spec::KernelSpec &spec, bool share_own_loops = false);
  Lift<Walked> run();

private:
  using Node = rewrite::Node;
  struct Pointer {
    std::string buffer, type;  ///< type of an element
    spec::Expr offset;         ///< in elements of the buffer
    int lanes = 1;             ///< of these, how many it points to: 4 for a float4 * into floats
  };

  struct Counter {
    int variable = -1;
    spec::Expr begin, end, step;
    spec::Expr own_begin, own_step;  ///< of the thread, where threads share the iterations
    const Node *body = nullptr;
    bool down = false;  ///< the user counts from end - 1 to begin
  };

  // expressions (lifter_expressions.cpp)
  Lift<spec::Expr> expr(const Node &node);
  Lift<spec::Expr> expr_of_name(const Node &node);
  Lift<spec::Expr> element_of_all(const Node &node);
  std::optional<spec::Expr> warp_of_grid(const spec::Expr &left, const spec::Expr &right);
  spec::Expr not_null(const std::string &pointer);
  Lift<std::optional<spec::Expr>> place_and_rest(const Node &node);
  Lift<spec::Expr> expr_of_binary(const Node &node);
  Lift<spec::Expr> expr_of_call(const Node &node);
  std::optional<rewrite::Obstacle> effect_of(const Node &call) const;
  Lift<spec::Expr> expr_of_builtin(const Node &node);
  std::string literal_text(const Node &node) const;
  Lift<spec::Expr> inlined(const Node &call);
  Lift<spec::Expr> trips_of(const Node &node);
  bool depends_on_thread(const spec::Expr &expr) const;
  bool depends_on_member(const spec::Expr &expr) const;
  std::optional<std::string> coordinate_of(const spec::Expr &expr) const;

  // pointers (lifter_pointers.cpp)
  Lift<Pointer> pointer(const Node &node);
  Lift<Pointer> element_of(const Node &node);
  Lift<std::optional<Pointer>> lane_of(const Node &node);
  void note_wide(const Pointer &place);
  Lift<spec::Expr> load_of(const Node &node);
  bool changes_later(const spec::Expr &value) const;
  Lift<void> point(int variable, const Node &value);
  Lift<void> move_pointer(const Node &node);
  Lift<void> step_pointers();
  Lift<void> follow_pointers(const Counter &counter, const std::vector<const Node *> &parts,
                             const spec::Expr &axis);

  // statements (lifter_statements.cpp)
  Lift<void> statements(const std::vector<const Node *> &parts);
  Lift<void> statement(const Node &node);
  Lift<void> declaration(const Node &node);
  Lift<void> declare(const Node &one);
  Lift<void> assign(const Node &node);
  void go_on_as(int variable, spec::Expr value, const Node &at);
  Lift<void> assign_variable(const Node &node, int variable, const std::string &op, const Node &value);
  void change_to(const std::string &name, const std::string &type, spec::Expr value, const Node &at);
  Lift<void> store_at(Pointer place, const std::string &op, const Node &value, const Node &at);
  Lift<void> store(const Node &node, const std::string &op, const Node &value);
  Lift<void> branch(const Node &node);
  Lift<void> call_statement(const Node &node);
  Lift<bool> fold_of_branch(const Node &node);
  Lift<bool> choice_of_threads(const Node &node);
  bool is_guard_return(const Node &node) const;
  Lift<void> guard_chain(const Node &chain);
  Lift<bool> work_and_return(const std::vector<const Node *> &parts, std::size_t at);
  void guard(const spec::Expr &condition, int line);
  bool straight_from(int depth) const;
  void emit(spec::Statement statement, const Node &at);
  Lift<Statements> in_scope(const std::vector<const Node *> &parts, bool divergent = false);

  // loops (lifter_loops.cpp)
  Lift<Counter> counter_of(const Node &loop);
  Lift<void> loop(const Node &node);
  Lift<void> loop_by(Counter counter, const Node &node);
  /// Who shares a loop's iterations: the threads of a block, those of the grid, or none; then all threads run
  /// it, each with elements of its own.
  enum class Shared : unsigned char { by_block, by_grid, own };
  Lift<void> team_loop(const Counter &counter, const Node &node, Shared how = Shared::by_block);
  bool over_threads(spec::Statement &loop);
  void note_parts(const spec::Statement &loop);
  bool go_on_folding(const Node &body);
  void leave_counter(const Counter &counter, const Node &node);
  Lift<spec::Statement> loop_statement(const Counter &counter, const Node &node);

  // cooperation (lifter_team.cpp)
  bool cooperates(const Node &node);
  bool thread_decides(const Node &node);
  Lift<void> execute(const Node &node, Mask &mask);
  Lift<void> execute_loop(const Node &node, Mask &mask);
  void find_exchanged();
  void count_alone(const Node &loop);
  Lift<void> execute_branch(const Node &node, Mask &mask);
  Lift<void> execute_choice(const Node &node, const Mask &mask);
  Lift<void> execute_call(const Node &node, Mask &mask);
  Lift<void> execute_assign(const Node &node, const Mask &mask);
  Lift<void> execute_declare(const Node &node, const Mask &mask);
  Lift<void> execute_store(const Node &node, const Mask &mask);
  Lift<std::optional<spec::Expr>> whole_of_parts(const Node &value, const Mask &mask);
  Lift<Spread> spread_of(const Node &node, const Mask &mask);
  Lift<void> run_calls(const Node &node, const Mask &mask);
  void set_spread(int variable, const Spread &values, const Mask &mask);

  // what threads hold (lifter_elements.cpp)
  Element element(const Node &node, int thread);
  bool is_own_of_team(const Node &element) const;
  Element element_of_operation(const Node &node, int thread);
  Element element_of_binary(const Node &node, int thread);
  Element element_of_call(const Node &node, int thread);
  Element element_of_choice(const Node &node, int thread);
  Element element_of_cub(const Node &node, int thread);
  Element element_of_shared(const Node &node, int thread);
  bool is_neutral(const std::string &op, const Element &one, const Element &other) const;
  Element folded(const std::string &op, const Element &left, const Element &right);
  Element folded_shares(const std::string &op, const Element &left, const Element &right,
                        const std::string &type, int thread);
  std::optional<Share> share_of(const Element &element, const std::string &op, const std::string &type,
                                int thread);
  Share own_share(const spec::Expr &value, const std::string &op, const std::string &type, int thread);
  std::optional<std::int64_t> integer_of(const spec::Expr &expr, int thread) const;
  std::optional<std::int64_t> shared_index(const Node &node, int thread, int &array);
  Element settled(const Element &element);
  std::optional<Share> gone_on_from(const Share &share, const std::string &op, const Element &other,
                                    bool base_last);
  void fold_over_threads(const Partial &partial, const std::string &initial, spec::LoopKind order,
                         Statements rest, bool exclusive, int line);
  void note_own(const spec::Statement &statement);
  /// Whether it may be something else in another thread of the team.
  bool differs(const spec::Expr &expr) const;
  std::optional<spec::Expr> of_index(const spec::Expr &expr) const;
  std::optional<spec::Expr> uniform(const Spread &spread, const Mask &mask);

  // scans (lifter_scan.cpp)
  bool exchanges(const Node &body) const;
  struct Scan {
    int partial = -1;        ///< -1: there is none
    spec::Expr base;         ///< what it went on from, if it is set
    bool exclusive = false;  ///< each has the shares of the threads before it, without its own
  };
  Scan scanned_by(const Node &node);
  Element held(const Node &node, int thread);
  std::optional<spec::Expr> first_value(int variable) const;
  void forget(const std::string &name);
  /// How the rounds of a loop begin.
  struct Rounds {
    std::map<int, std::string>
        names{};              ///< of variables that it changes; empty: threads have parts of a fold
    std::set<int> carried{};  ///< numbers in shared memory that are variables for this loop
  };
  Rounds begin_rounds(const Node &body, const Node &loop);
  Lift<void> end_rounds(const Node &body, const Rounds &before);
  std::set<int> forget_rounds(const Node &body);
  Lift<void> carry_on(const Node &node, const Spread &values, const Mask &mask);
  Lift<bool> scan_store(const Node &node);

  // tiles in shared memory (lifter_tiles.cpp)
  struct Tile {
    std::vector<spec::Expr> index;  ///< of the element that is filled: `thread.x`, a loop's axis, `e / 16`
    std::vector<spec::Expr> end;    ///< up to where it is filled
    spec::Expr value;
    std::map<std::string, int> loops{};  ///< that were open then
    int fill = 0;                        ///< which one it is of all
  };
  bool fills_tiles(const Node &loop) const;
  std::optional<spec::Expr> without_names(const spec::Expr &expr) const;
  bool is_fill(const Node &node) const;
  bool is_private(int variable) const;
  bool is_own_store(const Node &node) const;
  const std::vector<std::int64_t> &extents_of(int array) const;
  std::optional<spec::Expr> end_of_fill(const spec::Expr &index, const Tile &tile, std::int64_t extent,
                                        int array);
  std::optional<spec::Expr> end_of_digit(const spec::Expr &index, const Tile &tile, int array);
  bool fills_again(int array, const Tile &tile) const;
  Lift<void> check_tiled(const Statements &body) const;
  std::optional<spec::Expr> begin_of_fill(const Counter &counter, const Node &node) const;
  Lift<void> tile_store(const Node &node);
  Lift<bool> tile_branch(const Node &node);
  Lift<std::optional<spec::Expr>> without_fillers(const spec::Expr &condition,
                                                  const std::vector<const Node *> &stores);
  Lift<void> all_fill(const std::vector<const Node *> &stores);
  Lift<void> fill_under(const spec::Expr &condition, const std::vector<const Node *> &first,
                        const std::vector<const Node *> &second);
  Lift<spec::Expr> tile_read(const Node &node);
  Lift<void> tile_indices(const Node &node, std::vector<spec::Expr> &indices);
  bool lies_within(const spec::Expr &index, const spec::Expr &end, std::size_t min_part,
                   std::vector<spec::Expr> &needed) const;
  bool within(const spec::Expr &index, const spec::Expr &end);
  std::optional<std::int64_t> largest(const spec::Expr &digit) const;

  // rows of threads that share a loop's iterations (lifter_tiles.cpp)
  /// Of a loop over `axis` of which every thread does its own: `thread + times * axis` counts all of them,
  /// where `thread` is `thread.y`, `thread.x / 8` or `thread.x % 8`.
  struct Rows {
    std::string axis, all;
    spec::Expr thread;
    char dimension = 'y';
    std::int64_t times = 1, end = 0;
    bool used = false;
  };
  void add_rows(const Counter &counter, const std::string &axis);
  void need_block(char dimension, const std::string &why);
  spec::Expr joined(const spec::Expr &expr);
  spec::Expr with_joined(const spec::Expr &expr);
  bool take_rows(spec::Statement &loop, std::size_t from);

  // names
  std::string fresh(const std::string &name);
  const std::string &name_of(int variable) const { return kernel_.variables[variable].name; }

  const rewrite::Kernel &kernel_;
  const spec::KernelSpec &spec_;
  Walked out_;
  Statements *into_ = nullptr;
  int depth_ = 0;        ///< loops and branches around what is being written
  int tail_ = 0;         ///< of these, branches that nothing comes after
  int divergent_ = 0;    ///< of these, those that not all threads of the team go through alike
  std::set<int> rests_;  ///< depths at which all the rest of a loop's body stands
  bool team_ = false;    ///< threads of a block cooperate
  bool share_own_loops_ = false;
  bool all_threads_ = false;           ///< the last loop became one over the threads along x as well
  bool warps_ = false;                 ///< the team is a warp
  int threads_ = 0;                    ///< of the team, along x
  Mask alive_;                         ///< threads that have not returned; empty: all
  std::map<int, spec::Expr> values_;   ///< of variables: what stands for them
  std::map<int, spec::Expr> initial_;  ///< what a variable that changes began as
  std::set<int>
      unsettled_;  ///< variables that are no longer what they began as, nor anything else that is known
  std::set<std::string> changed_;   ///< names of variables that a loop or a branch has changed so far
  std::set<int> steady_;            ///< variables whose every value is written where it is used
  std::map<int, int> declared_at_;  ///< depth at which a variable that changes was written
  std::map<int, Pointer> pointers_;
  bool may_step_ = false;  ///< the statement that is being written is one that nothing depends on
  std::vector<const Node *> stepping_;  ///< `p++` of the statement that is being written
  std::map<int, Pointer> followed_;     ///< pointers that the innermost loop moves, as they are behind it
  std::set<int> lost_;                  ///< pointers that a loop has moved to a place that is not known
  std::map<int, spec::Need> moved_;     ///< what has to hold for pointers that a loop has moved
  std::set<std::string> changing_;      ///< variables that a loop or a branch changes
  std::map<int, Spread> spread_;
  std::set<int> exchanged_;  ///< variables that what threads give each other is computed from
  std::map<int, SharedArray> shared_;
  std::map<int, std::string> carried_;  ///< numbers in shared memory that a loop changes, by name
  std::map<int, Tile> tiles_;  ///< what each thread has put into shared memory, or into an array of its own
  std::map<std::string, std::int64_t> few_fill_;  ///< coordinates of which only the first so many fill a tile
  std::map<std::string, int> open_;  ///< the loops around what is being written: by axis, which one it is
  int opened_ = 0;                   ///< loops so far
  int filled_ = 0;                   ///< tiles so far
  std::vector<Rows> rows_;           ///< of the loops around what is being written
  int rows_made_ = 0;                ///< so far
  int tiling_ = 0;                   ///< loops that fill tiles around what is being written
  std::map<std::string, spec::Expr> ends_;        ///< of the loops around it, by counter
  std::set<std::string> from_zero_;               ///< of these, those that count from 0 by 1
  std::map<std::string, spec::Expr> below_zero_;  ///< where those begin that may begin below 0
  std::set<std::string> tiled_;                   ///< buffers of which tiles that are read hold elements
  bool finite_ = false;         ///< the user promises that no buffer of floating numbers holds NaN
  std::array<int, 3> block_{};  ///< threads of a block along x, y and z; 0: not the same constant everywhere
  std::vector<Partial> partials_;
  /// Names of values that differ between threads, and what each is as an expression of the thread's index;
  /// not set: something a loop or a branch has made of it.
  std::map<std::string, std::optional<spec::Expr>> own_values_;
  std::map<const Node *, std::optional<spec::Expr>>
      expressions_;                         ///< of the statement that is being executed
  std::map<const Node *, Spread> results_;  ///< of calls in the statement that is being executed
  std::set<std::string> used_names_;
  const Node *statement_ = nullptr;  ///< the statement that is being executed
  std::vector<int> calls_;           ///< functions that are being inlined
};

}  // namespace cupilot::lift
