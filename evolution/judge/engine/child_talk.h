// SPDX-License-Identifier: Apache-2.0
//
// What children write to their standard error, for `--verbose`: a candidate's code could have a hand in it,
// so it is made printable, line by line, before it reaches a terminal.

#pragma once

namespace cupilot::judge::engine {

/// The standard error for a child process; it stays open as long as this process lives. -1: there is none,
/// and the child gets /dev/null. What has been written when this process ends is printed before that.
int child_talk();

}  // namespace cupilot::judge::engine
