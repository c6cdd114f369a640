// SPDX-License-Identifier: Apache-2.0
//
// Field descriptions (annotate/support/fields.h) of the structs that make up a spec.

#pragma once

#include "annotate/spec/kernel_spec.h"
#include "annotate/spec/lifted_fields.h"
#include "annotate/support/diagnostic_fields.h"
#include "annotate/support/fields.h"

namespace cupilot::spec {

using cupilot::operator==;  // of every described struct

constexpr auto fields_of(const Member *) {
  using S = Member;
  return fields(field("name", &S::name), field("type", &S::type), field("offset", &S::offset),
                sparse("count", &S::count));
}
constexpr auto fields_of(const Parameter *) {
  using S = Parameter;
  return fields(field("name", &S::name), field("type", &S::type), field("pointer", &S::pointer),
                field("const_pointee", &S::const_pointee), field("restrict", &S::restrict_qualified),
                field("element", &S::element), field("element_type", &S::element_type),
                field("element_bytes", &S::element_bytes), sparse("members", &S::members));
}
constexpr auto fields_of(const Fill *) {
  using S = Fill;
  return fields(field("kind", &S::kind), field("a", &S::a), field("b", &S::b), sparse("file", &S::file),
                sparse("low", &S::low), sparse("high", &S::high));
}
constexpr auto fields_of(const BufferUse *) {
  using S = BufferUse;
  return fields(field("parameter", &S::parameter), field("role", &S::role), field("extent", &S::extent),
                field("fill", &S::fill), field("place", &S::place));
}
constexpr auto fields_of(const Assignment *) {
  return fields(field("name", &Assignment::name), field("expression", &Assignment::expression));
}
constexpr auto fields_of(const LaunchShape *) {
  using S = LaunchShape;
  return fields(field("grid", &S::grid), field("block", &S::block), field("shared_bytes", &S::shared_bytes),
                later("from_source", &S::from_source));
}
constexpr auto fields_of(const Workload *) {
  using S = Workload;
  return fields(field("id", &S::id), field("set", &S::set), field("buffers", &S::buffers),
                field("launch", &S::launch), field("check", &S::check), field("place", &S::place),
                sparse("weight", &S::weight), sparse("holdout", &S::holdout));
}
constexpr auto fields_of(const LaunchSite *) {
  using S = LaunchSite;
  return fields(field("place", &S::place), field("kind", &S::kind), field("caught", &S::caught));
}
/// JSON: just the name of the kind, except for "relaxed"; see own_json() in json_convert.h.
constexpr auto fields_of(const Precision *) {
  using S = Precision;
  return fields(field("kind", &S::kind), field("relative", &S::relative), field("absolute", &S::absolute));
}
constexpr auto fields_of(const Assumption *) {
  return fields(field("expression", &Assumption::expression), later("place", &Assumption::place));
}
constexpr auto fields_of(const Fingerprint::File *) {
  return fields(field("path", &Fingerprint::File::path), field("sha256", &Fingerprint::File::sha256));
}
constexpr auto fields_of(const Fingerprint *) {
  using S = Fingerprint;
  return fields(field("source", &S::source), field("macros", &S::macros), field("files", &S::files));
}
constexpr auto fields_of(const CompileCommand *) {
  using S = CompileCommand;
  return fields(field("folder", &S::folder), field("source", &S::source), field("compiler", &S::compiler),
                field("flags", &S::flags), field("architectures", &S::architectures));
}
constexpr auto fields_of(const CodeFacts *) {
  using S = CodeFacts;
  return fields(
      field("known", &S::known), sparse("has_loop", &S::has_loop), sparse("has_barrier", &S::has_barrier),
      sparse("has_shared_memory", &S::has_shared_memory), sparse("has_atomic", &S::has_atomic),
      sparse("has_shuffle", &S::has_shuffle), sparse("shuffles_up", &S::shuffles_up),
      sparse("folds_lanes", &S::folds_lanes), sparse("calls_reduction", &S::calls_reduction),
      sparse("has_matrix_unit", &S::has_matrix_unit), sparse("is_two_dimensional", &S::is_two_dimensional),
      sparse("computes_in_double", &S::computes_in_double),
      sparse("has_transcendental", &S::has_transcendental), sparse("has_exponential", &S::has_exponential),
      sparse("has_root", &S::has_root), sparse("sums", &S::sums), sparse("folds", &S::folds),
      sparse("keeps_place", &S::keeps_place), sparse("scans", &S::scans),
      sparse("multiplies", &S::multiplies), sparse("multiplies_rows", &S::multiplies_rows),
      sparse("compares_indices", &S::compares_indices), sparse("divides", &S::divides),
      sparse("gathers", &S::gathers), sparse("has_loaded_bounds", &S::has_loaded_bounds),
      sparse("has_rows", &S::has_rows), sparse("is_strided", &S::is_strided),
      sparse("has_strided_loop", &S::has_strided_loop), sparse("has_window", &S::has_window),
      sparse("is_stencil", &S::is_stencil), sparse("stores", &S::stores),
      sparse("named_convolution", &S::named_convolution), sparse("named_loss", &S::named_loss),
      sparse("products", &S::products), sparse("product_depth", &S::product_depth));
}
/// A spec without this member was written before specs had twins.
constexpr auto fields_of(const Twin *) {
  using S = Twin;
  return fields(sparse("source", &S::source), sparse("instantiation", &S::instantiation),
                sparse("types", &S::types), sparse("sixteen", &S::sixteen), sparse("missing", &S::missing));
}
constexpr auto fields_of(const KernelSpec *) {
  using S = KernelSpec;
  return fields(field("name", &S::name), field("qualified_name", &S::qualified_name),
                field("instantiation", &S::instantiation), field("namespaces", &S::namespaces),
                field("symbol", &S::symbol), field("place", &S::place), field("precision", &S::precision),
                field("parameters", &S::parameters), sparse("assumptions", &S::assumptions),
                sparse("deterministic", &S::deterministic), field("workloads", &S::workloads),
                field("launches", &S::launches), field("device_globals", &S::device_globals),
                field("slice", &S::slice), field("kernel_id", &S::kernel_id),
                field("workload_id", &S::workload_id), field("fingerprint", &S::fingerprint),
                field("command", &S::command), sparse("facts", &S::facts), sparse("twin", &S::twin),
                sparse("lifted", &S::lifted));
}

}  // namespace cupilot::spec
