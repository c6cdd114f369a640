// SPDX-License-Identifier: Apache-2.0
//
// A loaded library once more, in another part of memory. Host code may ask where it lies: a library lies
// high, and the program that a variant is built into may lie low.

#pragma once

#include <cstdint>
#include <string>

#include "evolution/judge/recorder/chance.h"

namespace cupilot::judge::recorder {

/// Where programs lie that are linked to a fixed address, and those that are not.
enum class CodePlace { lowest, program };

/// How far the copy is from the library at `base`, modulo 2^64; 0: there is none. Pointers in its data that
/// point into the library point into the copy. Its constructors do not run again.
std::uintptr_t copy_library(const std::string &path, std::uintptr_t base, CodePlace place, Chance &chance);

}  // namespace cupilot::judge::recorder
