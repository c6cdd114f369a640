// SPDX-License-Identifier: Apache-2.0
//
// Executes a lifted form (annotate/spec/lifted.h) the plain way: loop after loop, statement after statement,
// numbers of C++ types. Iterations of independent loops and of reductions come in an order drawn at random: a
// loop that is called independent and is not gives something else.

#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "annotate/spec/lifted.h"
#include "annotate/support/result.h"
#include "tests/differential/value.h"

namespace cupilot::differential {

struct Buffer {
  Type type = Type::f32;
  std::vector<std::byte> bytes;
};

/// What a launch is given: `grid.x` to `block.z` are among the scalars.
struct Arguments {
  std::map<std::string, Value> scalars;
  std::map<std::string, Buffer> buffers;
};

/// Whether all needs hold. An error: something in them is not known to the interpreter.
Result<bool> needs_hold(const spec::Lifted &lifted, const Arguments &arguments);

/// Changes the buffers as the form says. Errors: an access outside of a buffer, a name that nothing declares,
/// a function that is not known, a division by zero; more than `most_steps` statements.
Result<> interpret(const spec::Lifted &lifted, Arguments &arguments, std::uint64_t seed,
                   std::uint64_t most_steps = 50'000'000);

}  // namespace cupilot::differential
