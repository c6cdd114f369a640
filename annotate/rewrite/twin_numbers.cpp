// SPDX-License-Identifier: Apache-2.0

#include "annotate/rewrite/twin_numbers.h"

#include <clang/AST/DeclCXX.h>
#include <algorithm>
#include <array>

namespace cupilot::rewrite::twin {
namespace {

using namespace clang;

void add_numbers(QualType type, Numbers &numbers);

void add_members(const CXXRecordDecl &record, Numbers &numbers) {
  const std::string name = record.getQualifiedNameAsString();
  if (name == "__half") {
    numbers.half = true;
  } else if (name == "__nv_bfloat16") {
    numbers.bfloat16 = true;
  } else if (record.hasDefinition() && !record.isDependentContext()) {
    for (const CXXBaseSpecifier &base : record.bases()) add_numbers(base.getType(), numbers);
    for (const FieldDecl *field : record.fields()) add_numbers(field->getType(), numbers);
  }
}

void add_numbers(QualType type, Numbers &numbers) {
  type = type.getCanonicalType();
  while (const auto *array = dyn_cast<ArrayType>(type.getTypePtr())) type = array->getElementType();
  if (const auto *vector = type->getAs<VectorType>()) type = vector->getElementType();
  if (const auto *record = type->getAsCXXRecordDecl()) return add_members(*record, numbers);
  const auto *builtin = type->getAs<BuiltinType>();
  const auto kind = builtin ? builtin->getKind() : BuiltinType::Void;
  numbers.single |= kind == BuiltinType::Float;
  numbers.half |= kind == BuiltinType::Half || kind == BuiltinType::Float16;
  numbers.bfloat16 |= kind == BuiltinType::BFloat16;
  numbers.wide |= kind == BuiltinType::Double || kind == BuiltinType::LongDouble;
  numbers.other |= !(builtin && builtin->isFloatingPoint()) && !type->isVoidType();
}

}  // namespace

Numbers numbers_of(QualType type) {
  Numbers numbers;
  if (!type.isNull() && !type->isDependentType()) add_numbers(type, numbers);
  return numbers;
}

Numbers numbers_in(const CXXRecordDecl &record) {
  Numbers numbers;
  add_members(record, numbers);
  return numbers;
}

QualType target_of(QualType type) {
  type = type.getNonReferenceType();
  while (true) {
    if (type->isPointerType())
      type = type->getPointeeType();
    else if (const auto *array = type->getAsArrayTypeUnsafe())
      type = array->getElementType();
    else
      return type;
  }
}

QualType target_of_one(QualType type) {
  if (type->isPointerType()) return type->getPointeeType();
  if (const auto *array = type->getAsArrayTypeUnsafe()) return target_of(array->getElementType());
  return {};
}

bool has_narrow_signature(const FunctionDecl &function) {
  const auto narrow = [](QualType type) { return numbers_of(target_of(type)).narrow(); };
  return narrow(function.getReturnType()) ||
         std::ranges::any_of(function.parameters(), [&](const auto *p) { return narrow(p->getType()); });
}

bool has_wide_signature(const FunctionDecl &function) {
  return !has_narrow_signature(function) && std::ranges::any_of(function.parameters(), [](const auto *p) {
    return numbers_of(target_of(p->getType())).wide;
  });
}

bool holds_bits_of_floats(llvm::StringRef name) {
  static constexpr std::array<llvm::StringRef, 6> kNames{"__half_raw",          "__half2_raw",
                                                         "__nv_bfloat16_raw",   "__nv_bfloat162_raw",
                                                         "cudaTextureObject_t", "cudaSurfaceObject_t"};
  return name.starts_with("__nv_fp8") || name.starts_with("__nv_fp4") || name.starts_with("__nv_fp6") ||
         std::ranges::find(kNames, name) != kNames.end();
}

bool is_harmless_assembly(llvm::StringRef text) {
  static constexpr std::array<llvm::StringRef, 10> kDangerous{".f32", ".f16", ".bf16", ".tf32",  "mma",
                                                              "ld.",  "st.",  "cp.",   "matrix", ".b16"};
  return std::ranges::none_of(kDangerous, [&](llvm::StringRef part) { return text.contains(part); });
}

std::string why_no_counterpart(llvm::StringRef function) {
  if (function.contains("_as_float") || function.ends_with("_as_half") || function.ends_with("_as_bfloat16"))
    return in_quotes(function) + " makes a float from bits";
  if (function.contains("float_as_") || function.contains("half_as_") || function.contains("bfloat16_as_"))
    return in_quotes(function) + " reads the bits of a float";
  return in_quotes(function) + " has no counterpart in double";
}

std::string in_quotes(llvm::StringRef text) {
  return "'" + text.str() + "'";
}

}  // namespace cupilot::rewrite::twin
