// SPDX-License-Identifier: Apache-2.0
//
// What the twin has to know about types and names: which numbers a value contains, and what of CUDA has no
// counterpart in double.

#pragma once

#include <clang/AST/Type.h>
#include <llvm/ADT/StringRef.h>
#include <string>

namespace clang {
class CXXRecordDecl;
class FunctionDecl;
}  // namespace clang

namespace cupilot::rewrite::twin {

/// Which kinds of numbers a value of some type contains.
struct Numbers {
  bool single = false, half = false, bfloat16 = false, wide = false, other = false;

  bool sixteen() const { return half || bfloat16; }
  bool narrow() const { return single || sixteen(); }
  bool mixed() const { return single + half + bfloat16 + (wide || other) > 1; }
};

Numbers numbers_of(clang::QualType type);
/// The numbers in the members and base classes of a class.
Numbers numbers_in(const clang::CXXRecordDecl &record);

/// The type that a pointer or reference finally leads to, or the type itself.
clang::QualType target_of(clang::QualType type);
/// The pointee of a pointer type or the element type of an array; null for other types.
clang::QualType target_of_one(clang::QualType type);

bool has_narrow_signature(const clang::FunctionDecl &function);
bool has_wide_signature(const clang::FunctionDecl &function);

/// Types that expose the bits or the storage format of numbers. None of their members has a floating type.
bool holds_bits_of_floats(llvm::StringRef type_name);

/// Assembly without floating-point data, such as synchronisation or reading the lane index.
bool is_harmless_assembly(llvm::StringRef text);

/// The reason to refuse a call of a function of the library.
std::string why_no_counterpart(llvm::StringRef function);

std::string in_quotes(llvm::StringRef text);

}  // namespace cupilot::rewrite::twin
