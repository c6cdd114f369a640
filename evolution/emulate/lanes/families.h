// SPDX-License-Identifier: Apache-2.0
//
// The bind functions of all families, in the order the decoder asks. Handlers of arithmetic exist once per
// Isa: bind functions are ordinary code and pick from the table of the one asked for.

#pragma once

#include <span>

#include "evolution/emulate/program/binding.h"
#include "evolution/emulate/program/program.h"

namespace cupilot::emulate {

// A bind function answers nullopt for what is not its own; `why` then may say which part is missing
// ("wmma.load with .s4"), for the pre-flight.
std::optional<Binding> bind_integer(const BindRequest &, Isa, std::string &why);  ///< lanes/
std::optional<Binding> bind_logic(
    const BindRequest &, Isa,
    std::string &why);  ///< lanes/: and or xor not shl shr lop3 prmt mov selp set setp slct bit fields
std::optional<Binding> bind_float(const BindRequest &, Isa,
                                  std::string &why);  ///< lanes/: f32 f64, approximations
std::optional<Binding> bind_half(const BindRequest &, Isa, std::string &why);  ///< lanes/: f16 bf16, packed
std::optional<Binding> bind_convert(const BindRequest &, Isa, std::string &why);  ///< lanes/: cvt, cvta, pack
std::optional<Binding> bind_video(const BindRequest &, Isa, std::string &why);    ///< lanes/: vadd ... vset4
std::optional<Binding> bind_exchange(const BindRequest &, Isa,
                                     std::string &why);  ///< lanes/: shfl vote match redux activemask elect
std::optional<Binding> bind_matrix(const BindRequest &, Isa,
                                   std::string &why);  ///< lanes/: mma wmma ldmatrix stmatrix movmatrix
std::optional<Binding> bind_memory(const BindRequest &, Isa,
                                   std::string &why);  ///< machine/: ld st prefetch fence
std::optional<Binding> bind_atomic(const BindRequest &, Isa, std::string &why);  ///< lanes/: atom red
std::optional<Binding> bind_async(const BindRequest &, Isa,
                                  std::string &why);  ///< lanes/: cp.async, mbarrier, bulk copies
std::optional<Binding> bind_control(const BindRequest &, Isa,
                                    std::string &why);  ///< machine/: bra call ret exit bar trap

std::span<const BindFor> families();

}  // namespace cupilot::emulate
