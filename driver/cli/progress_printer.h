// SPDX-License-Identifier: Apache-2.0
//
// The engine's events and the models' answers on stderr: one rewritten line on a terminal, one line per event
// elsewhere, or nothing.

#pragma once

#include <cstdio>
#include <memory>
#include <string>

#include "evolution/search/budget.h"
#include "evolution/search/progress.h"

namespace cupilot::cli {

enum class ProgressStyle { automatic, plain, none };

/// What `tune` shows while it works. All calls come from one thread.
class TuneDisplay : public Progress {
public:
  /// Before a kernel that models are asked about: what they have cost it in earlier starts, and may cost.
  virtual void model_budget(const Spending & /*already*/, const Budget &) {}
};

/// `automatic` looks whether `out` is a terminal. `plain` is one line per event wherever it goes.
std::unique_ptr<TuneDisplay> make_progress(ProgressStyle style, std::FILE *out = stderr);

/// For a terminal `width` columns wide, and for everything else; both write to `out`.
std::unique_ptr<TuneDisplay> make_rewritten_line(std::FILE *out, std::size_t width);
std::unique_ptr<TuneDisplay> make_plain_lines(std::FILE *out);

/// Before other talk on stderr: takes a rewritten line away when stderr is a terminal.
void clear_rewritten_line();

/// "" of no text.
std::string first_line(const std::string &text);

/// A refusal without the strategy's own name in front of it.
std::string refusal_text(const std::vector<std::string> &strategies, const std::string &reason);

/// "wide-access + block-size kThreads=256", "" for neither.
std::string candidate_text(const std::vector<std::string> &strategies, const std::string &knobs);

}  // namespace cupilot::cli
