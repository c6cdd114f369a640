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

namespace cupilot::emulate::session {

/// `to` holds rule.count elements of the type; class types (`opaque`) are filled as floats.
void fill_input(std::span<std::byte> to, spec::ElementType type, const judge::data::InputRule &rule);

/// The elements from `first` to before `last` of a buffer that begins at `buffer`.
void fill_part(std::byte *buffer, spec::ElementType type, const judge::data::InputRule &rule,
               std::uint64_t first, std::uint64_t last);

/// Fills one member of all elements, which are `stride` bytes apart.
void fill_member(std::span<std::byte> to, std::size_t stride, const spec::Member &member,
                 const judge::data::InputRule &rule);

/// For data of which only a part will be read. Repeats a block of values where a value does not depend on its
/// position, and makes every element where it does (indices).
void fill_roughly(std::span<std::byte> to, spec::ElementType type, const judge::data::InputRule &rule);

/// Fills with a 16-bit pattern, beginning at the first byte.
void fill_pattern(std::span<std::byte> to, std::uint16_t pattern);
/// The number of bytes that differ from the pattern.
std::size_t pattern_mismatches(std::span<const std::byte> bytes, std::uint16_t pattern);

/// A hash of the bytes and their positions, to find whether a buffer changed.
std::uint64_t hash_bytes(std::span<const std::byte> bytes);

}  // namespace cupilot::emulate::session
