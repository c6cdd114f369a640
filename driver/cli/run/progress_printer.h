// SPDX-License-Identifier: Apache-2.0
//
// Prints the engine's events and the models' answers on stderr: as one line that is rewritten on a terminal,
// as one line per event elsewhere, or not at all.

#pragma once

#include <cstdio>
#include <memory>
#include <string>

#include "evolution/search/budget.h"
#include "evolution/search/progress.h"

namespace cupilot::cli::run {

enum class ProgressStyle { automatic, plain, none };

/// What `tune` shows while it works. All calls come from one thread.
class TuneDisplay : public search::Progress {
public:
  /// Called before a kernel that models are asked about: what they have cost for this kernel in earlier
  /// starts, and the budget.
  virtual void model_budget(const provider::Spending & /*already*/, const search::Budget &) {}
};

/// `automatic` rewrites one line if `out` is a terminal. `plain` always prints one line per event.
std::unique_ptr<TuneDisplay> make_progress(ProgressStyle style, std::FILE *out = stderr);

/// The two styles: for a terminal `width` columns wide, and for everything else. Both write to `out`.
std::unique_ptr<TuneDisplay> make_rewritten_line(std::FILE *out, std::size_t width);
std::unique_ptr<TuneDisplay> make_plain_lines(std::FILE *out);

/// Removes the rewritten line when stderr is a terminal. Call it before printing anything else on stderr.
void clear_rewritten_line();

/// The first line of `text`; "" for an empty text.
std::string first_line(const std::string &text);

/// The reason of a refusal without the strategy's own name in front of it.
std::string refusal_text(const std::vector<std::string> &strategies, const std::string &reason);

/// "wide-access + block-size kThreads=256", "" for neither.
std::string candidate_text(const std::vector<std::string> &strategies, const std::string &knobs);

}  // namespace cupilot::cli::run
