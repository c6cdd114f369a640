// SPDX-License-Identifier: Apache-2.0
//
// A loop whose iterations several threads share: who takes which elements, in accesses how wide, and which of
// them stay in registers until a later loop uses them again. The code around declares `$lane`, the thread's
// number, and says how many there are.

#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "annotate/spec/kernel_spec.h"
#include "evolution/model/individual.h"
#include "evolution/schedule/code.h"

namespace cupilot::schedule {

struct Span {
  const spec::Statement *outermost = nullptr;
  const spec::Statement *loop =
      nullptr;          ///< the one that is shared: the outermost, or alone in those around it
  bool certain = true;  ///< it is in no branch
};

/// Whose elements lie together in memory: the axis of the nest, or nullptr where it is the loops that are
/// shared. Of loops alone in each other that with the neighbours becomes the shared one.
const spec::Statement *find_direction(const Nest &nest, std::vector<Span> &spans);

/// A variable from outside of a loop that its iterations fold into.
struct Total {
  std::string name, op, type;
  bool keeps_nan = false;
};
std::vector<Total> totals_of(const spec::Statement &loop);
/// What a thread has of a total that a span adds to; spans that add to the same total have parts of their
/// own.
std::string part_of_thread(const std::vector<Span> &spans, const Span &span, const Total &total);
void rename_fold(std::vector<spec::Statement> &body, const std::string &from, const std::string &to);
/// "sum" for "+".
const char *word_of(const std::string &op);
/// What totals of this operation and type begin with; an empty text if nothing is known.
std::string neutral_of(const std::string &op, const std::string &type);
/// Whether a type of C++ has operators and can be shuffled.
bool is_arithmetic(const std::string &type);
bool same_range(const spec::Statement &a, const spec::Statement &b);

/// The definition of `Pack<T, kCount>`.
std::string pack_text();
/// The function `team_sum` or its like: all threads of a team of kTeam get what they have together. A block
/// is a team or, up to a warp, several.
std::string team_text(const Total &total);
/// What `cluster_team_text` builds on: the constants of a cluster of kCluster blocks of kBlock threads,
/// barriers and reads of other blocks' shared memory (PTX ISA, mapa, barrier.cluster).
std::string cluster_text();
/// The same function as of team_text where all blocks of a cluster are a team.
std::string cluster_team_text(const Total &total);

class Sharing {
public:
  Sharing() = default;
  /// `wide`: along rows, whose elements lie together; else neighbouring threads have neighbouring rows.
  /// `keep`: with rows in registers. The spans stay where they are. In code of neighbouring rows a knob
  /// kInverse says whether there is one division for all of `divisors_of`.
  Sharing(const spec::KernelSpec &spec, const std::vector<Span> &spans, bool wide, bool keep,
          std::string team);

  bool wide() const { return !wide_.empty() || wide_kept_; }
  bool keeps() const { return !kept_.empty(); }
  spec::Expr kept_extent() const;
  std::size_t kept_bytes() const;  ///< in registers, for each place of a row
  /// What the host has to test for wide accesses, `axes` being the loops around.
  std::string wide_conditions(const std::vector<const spec::Statement *> &axes) const;
  std::size_t most_items() const;  ///< elements of a wide access
  model::Knob vector_knob() const;

  /// Loops that are never short are not unrolled: what an unrolled one does with few iterations would be code
  /// that nothing reaches.
  void leave_rolled() { rolled_ = true; }

  /// Declarations that a loop needs before it, with what they are loaded from.
  std::string before(const Span &span) const;
  /// The loop; `changed` is its outermost one as it is to be written.
  std::string text(const Span &span, const spec::Statement &changed) const;

private:
  struct Item {
    std::string buffer, type, name;
    spec::Expr index;
    const Span *first = nullptr, *last_store = nullptr;
    bool loaded = false, stored = false, unit = false;
  };
  bool in_group(const Span &span) const;
  void find_group();
  void find_kept();
  void find_wide(const Span &span);
  bool may_be_wide(const spec::Expr &index, const Span &span) const;
  std::string around(const Span &span, const spec::Statement &one, const spec::Statement &original) const;
  std::string shared(const Span &span, const spec::Statement &loop) const;
  std::string element(const Item &item) const;
  std::string kept_loop(const spec::Statement &loop, const std::string &inner) const;
  std::string counter(const spec::Statement &loop, const char *value, const std::string &body) const;

  const spec::KernelSpec *spec_ = nullptr;
  const std::vector<Span> *spans_ = nullptr;
  const Span *group_ = nullptr;  ///< the first of those whose rows are kept
  std::vector<Item> kept_, wide_;
  bool may_widen_ = false, wide_kept_ = false, rolled_ = false;
  std::string team_;
};

}  // namespace cupilot::schedule
