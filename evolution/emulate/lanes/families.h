// SPDX-License-Identifier: Apache-2.0
//
// The families of instructions, each with one bind function, and the list of all families in the order in
// which the decoder asks them. Handlers of arithmetic exist once per vector extension (Isa): bind functions
// are ordinary code and pick a handler from the table of the extension they are asked for.

#pragma once

#include <optional>
#include <span>
#include <string>

#include "evolution/emulate/program/binding.h"
#include "evolution/emulate/program/program.h"

namespace cupilot::emulate::lanes {

// A bind function returns nullopt for an instruction of another family. It also returns nullopt for a form
// that it does not support; `why` may then name the missing part ("wmma.load with .s4"), for the report
// before a run.

/// arithmetic/: add sub mul mad div rem min max abs neg ... of integers
std::optional<program::Binding> bind_integer(const program::BindRequest &, program::Isa, std::string &why);
/// arithmetic/: and or xor not shl shr lop3 prmt mov selp set setp slct, bit fields
std::optional<program::Binding> bind_logic(const program::BindRequest &, program::Isa, std::string &why);
/// arithmetic/: f32 and f64, approximations
std::optional<program::Binding> bind_float(const program::BindRequest &, program::Isa, std::string &why);
/// arithmetic/: f16 and bf16, also packed in pairs
std::optional<program::Binding> bind_half(const program::BindRequest &, program::Isa, std::string &why);
/// arithmetic/: vadd ... vset4
std::optional<program::Binding> bind_video(const program::BindRequest &, program::Isa, std::string &why);
/// convert/: cvt, cvt.pack, cvta
std::optional<program::Binding> bind_convert(const program::BindRequest &, program::Isa, std::string &why);
/// exchange/: shfl vote match redux activemask elect
std::optional<program::Binding> bind_exchange(const program::BindRequest &, program::Isa, std::string &why);
/// matrix/: mma wmma ldmatrix stmatrix movmatrix
std::optional<program::Binding> bind_matrix(const program::BindRequest &, program::Isa, std::string &why);
/// memory/: atom red
std::optional<program::Binding> bind_atomic(const program::BindRequest &, program::Isa, std::string &why);
/// memory/: cp.async, mbarrier, bulk copies
std::optional<program::Binding> bind_async(const program::BindRequest &, program::Isa, std::string &why);

/// All families, those of machine/families.h included, the most frequent first.
std::span<const program::BindFor> families();

}  // namespace cupilot::emulate::lanes
