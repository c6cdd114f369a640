// SPDX-License-Identifier: Apache-2.0
//
// Answers the questions of recorder_protocol.h for one library: what a call of its entry would launch, in
// every surroundings, and what its traced twin has executed. It locks the process up before it loads the
// library, so that the library's constructors run in the sandbox, too.

#pragma once

namespace cupilot::judge::recorder {

/// Serves the socket launches::kRecorderSocket until the parent closes it; returns the exit code. Everything
/// runs on small stacks: whoever walks the stack finds neither the program's arguments nor its environment.
int serve();

}  // namespace cupilot::judge::recorder
