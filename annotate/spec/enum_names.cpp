// SPDX-License-Identifier: Apache-2.0
#include "annotate/spec/enum_names.h"

#include <array>
#include <charconv>

#include "annotate/spec/lifted_fields.h"

namespace cupilot::spec {
namespace {

using enum ElementType;
constexpr std::array<std::pair<ElementType, const char *>, 14> kElements{{{i8, "i8"},
                                                                          {u8, "u8"},
                                                                          {i16, "i16"},
                                                                          {u16, "u16"},
                                                                          {i32, "i32"},
                                                                          {u32, "u32"},
                                                                          {i64, "i64"},
                                                                          {u64, "u64"},
                                                                          {boolean, "bool"},
                                                                          {f16, "f16"},
                                                                          {bf16, "bf16"},
                                                                          {f32, "f32"},
                                                                          {f64, "f64"},
                                                                          {opaque, "opaque"}}};
constexpr std::array<std::pair<BufferRole, const char *>, 4> kRoles{{{BufferRole::in, "in"},
                                                                     {BufferRole::out, "out"},
                                                                     {BufferRole::inout, "inout"},
                                                                     {BufferRole::scratch, "scratch"}}};
constexpr std::array<std::pair<FillKind, const char *>, 9> kFills{{{FillKind::automatic, "automatic"},
                                                                   {FillKind::normal, "normal"},
                                                                   {FillKind::uniform, "uniform"},
                                                                   {FillKind::randint, "randint"},
                                                                   {FillKind::iota, "iota"},
                                                                   {FillKind::zeros, "zeros"},
                                                                   {FillKind::permutation, "permutation"},
                                                                   {FillKind::sorted, "sorted"},
                                                                   {FillKind::file, "file"}}};
constexpr std::array<std::pair<LaunchKind, const char *>, 8> kLaunches{
    {{LaunchKind::triple_chevron, "<<<>>>"},
     {LaunchKind::launch_kernel, "cudaLaunchKernel"},
     {LaunchKind::launch_kernel_ex, "cudaLaunchKernelEx"},
     {LaunchKind::cooperative, "cooperative"},
     {LaunchKind::graph, "graph"},
     {LaunchKind::driver, "driver"},
     {LaunchKind::device_side, "device_side"},
     {LaunchKind::address, "address"}}};
constexpr std::array<std::pair<PrecisionKind, const char *>, 5> kPrecisions{
    {{PrecisionKind::same, "same"},
     {PrecisionKind::tf32, "tf32"},
     {PrecisionKind::half, "half"},
     {PrecisionKind::bf16, "bf16"},
     {PrecisionKind::relaxed, "relaxed"}}};

constexpr std::array<std::pair<ExprKind, const char *>, 12> kExpressions{{{ExprKind::none, "none"},
                                                                          {ExprKind::constant, "constant"},
                                                                          {ExprKind::parameter, "parameter"},
                                                                          {ExprKind::axis, "axis"},
                                                                          {ExprKind::value, "value"},
                                                                          {ExprKind::load, "load"},
                                                                          {ExprKind::unary, "unary"},
                                                                          {ExprKind::binary, "binary"},
                                                                          {ExprKind::call, "call"},
                                                                          {ExprKind::select, "select"},
                                                                          {ExprKind::cast, "cast"},
                                                                          {ExprKind::member, "member"}}};
constexpr std::array<std::pair<LoopKind, const char *>, 3> kLoops{{{LoopKind::independent, "independent"},
                                                                   {LoopKind::reduction, "reduction"},
                                                                   {LoopKind::ordered, "in order"}}};
constexpr std::array<std::pair<StatementKind, const char *>, 8> kStatements{
    {{StatementKind::value, "value"},
     {StatementKind::variable, "variable"},
     {StatementKind::assign, "assign"},
     {StatementKind::fold, "fold"},
     {StatementKind::loop, "loop"},
     {StatementKind::branch, "branch"},
     {StatementKind::store, "store"},
     {StatementKind::update, "update"}}};

}  // namespace

EnumNames<ExprKind> names_of(const ExprKind *) {
  return kExpressions;
}
EnumNames<LoopKind> names_of(const LoopKind *) {
  return kLoops;
}
EnumNames<StatementKind> names_of(const StatementKind *) {
  return kStatements;
}
EnumNames<ElementType> names_of(const ElementType *) {
  return kElements;
}
EnumNames<BufferRole> names_of(const BufferRole *) {
  return kRoles;
}
EnumNames<FillKind> names_of(const FillKind *) {
  return kFills;
}
EnumNames<LaunchKind> names_of(const LaunchKind *) {
  return kLaunches;
}
EnumNames<PrecisionKind> names_of(const PrecisionKind *) {
  return kPrecisions;
}

bool is_floating(ElementType type) {
  return type == f16 || type == bf16 || type == f32 || type == f64;
}

const char *to_string(ElementType value) {
  return enum_name(value);
}
const char *to_string(BufferRole value) {
  return enum_name(value);
}
const char *to_string(FillKind value) {
  return enum_name(value);
}
const char *to_string(LoopKind value) {
  return enum_name(value);
}
const char *to_string(LaunchKind value) {
  return enum_name(value);
}

std::string to_string(const Precision &precision) {
  const auto number = [](double value) {
    char text[40];  // the shortest digits that give the same double, in any locale
    return std::string(text, std::to_chars(text, text + sizeof text, value).ptr);
  };
  if (precision.kind != PrecisionKind::relaxed) return enum_name(precision.kind);
  return "relaxed(" + number(precision.relative) + ", " + number(precision.absolute) + ")";
}

}  // namespace cupilot::spec
