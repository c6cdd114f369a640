// SPDX-License-Identifier: Apache-2.0
//
// The handles of graphs and executable graphs. Callers hold the call mutex.

#pragma once

#include <memory>

#include "evolution/emulate/runtime/api/stream/stream.h"

namespace cupilot::emulate::runtime {

/// The handle stays the same when the graph behind it is replaced.
void *keep_graph(std::shared_ptr<Graph> graph);
std::shared_ptr<Graph> find_graph(const void *handle);
void replace_graph(void *handle, std::shared_ptr<Graph> graph);
bool drop_graph(void *handle);

}  // namespace cupilot::emulate::runtime
