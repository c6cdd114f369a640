// SPDX-License-Identifier: Apache-2.0
//
// Input data on the host: the same rules that make it on a GPU (evolution/judge/data/input_rule.h), element
// by element.

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "annotate/spec/kernel_spec.h"
#include "evolution/judge/data/input_rule.h"

namespace cupilot::emulate {

/// `to` holds rule.count elements of the type; class types (`opaque`) are filled as floats.
void fill_input(std::span<std::byte> to, ElementType type, const InputRule &rule);

/// For data of which only a part will be looked at: repeats a stretch where an element's place does not
/// matter to its value's meaning, and makes everything (indices) where it does.
void fill_roughly(std::span<std::byte> to, ElementType type, const InputRule &rule);

/// A 16-bit pattern from the first byte on.
void fill_pattern(std::span<std::byte> to, std::uint16_t pattern);
/// Bytes that are not the pattern.
std::size_t pattern_mismatches(std::span<const std::byte> bytes, std::uint16_t pattern);

/// Of the bytes and their places: tells whether a buffer changed.
std::uint64_t hash_bytes(std::span<const std::byte> bytes);

}  // namespace cupilot::emulate
