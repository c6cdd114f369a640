// SPDX-License-Identifier: Apache-2.0
//
// The spec: everything the extractor knows about one annotated kernel (for a template: about one
// instantiation). This is plain data without any Clang type. annotate/extract makes it, all other parts of
// cupilot read it. The JSON form is in kernel_spec_json.h.

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "annotate/spec/code_facts.h"
#include "annotate/spec/lifted.h"
#include "annotate/support/diagnostic.h"

namespace cupilot::spec {

/// Element types that the judge can fill, poison and compare. `opaque` is a class type: it is treated member
/// by member if all are numbers (Parameter::members), else as bytes.
enum class ElementType { i8, u8, i16, u16, i32, u32, i64, u64, boolean, f16, bf16, f32, f64, opaque };

enum class BufferRole { in, out, inout, scratch };

/// A number, or an array of them, in every element of a class type.
struct Member {
  std::string name;  ///< "mass", "position.x", "bins"
  ElementType type = ElementType::opaque;
  std::size_t offset = 0;  ///< bytes from the start of an element
  std::size_t count = 1;   ///< of an array
};

struct Parameter {
  std::string name;
  std::string type;  ///< canonical C++ spelling, usable at global scope: "const float *__restrict__"
  bool pointer = false;
  bool const_pointee = false;
  bool restrict_qualified = false;
  ElementType element = ElementType::opaque;  ///< type of the pointee; of a scalar parameter, its own type
  std::string element_type;  ///< C++ spelling without qualifiers: "float", "__half", "ns::Particle"
  std::size_t element_bytes = 0;
  /// All numbers in an element of class type; empty if it holds anything else, such as pointers or unions.
  std::vector<Member> members;
};

/// How the initial content of a buffer is generated. `a` and `b` are the arguments of the fill:
/// `normal(mean, standard deviation)`, `uniform(a, b)`, `randint(a, b)` and `sorted(a, b)` with b excluded.
enum class FillKind { automatic, normal, uniform, randint, iota, zeros, permutation, sorted, file };
struct Fill {
  FillKind kind = FillKind::automatic;
  double a = 0, b = 1;  ///< in a case; of a workload that says them by names, at its own sizes
  std::string file;
  /// The arguments as expressions over the names that `set` defines; empty: they are numbers.
  std::string low, high;
};

struct BufferUse {
  std::string parameter;
  BufferRole role = BufferRole::in;
  std::string extent;  ///< number of elements: an expression over the names that `set` defines
  Fill fill;
  SourcePlace place;
};

struct Assignment {
  std::string name;
  std::string expression;
};

/// The launch configuration. Sizes are expressions over the kernel's parameters and the names that the
/// workload sets; annotate/directive/expression.h evaluates them.
struct LaunchShape {
  std::array<std::string, 3> grid{"1", "1", "1"};
  std::array<std::string, 3> block{"1", "1", "1"};
  std::string shared_bytes = "0";
  bool from_source = false;  ///< inferred from a launch in the source, not given by a launch() clause
};

struct Workload {
  std::string id;
  std::vector<Assignment> set;     ///< in source order; each may use the ones before it
  std::vector<BufferUse> buffers;  ///< one per pointer parameter
  LaunchShape launch;
  bool check = false;    ///< checked for correctness only, never timed
  double weight = 1;     ///< weight in the overall speed-up; 0: timed, but need not be faster
  bool holdout = false;  ///< never shown to the search; judged once, at the end
  SourcePlace place;
};

enum class LaunchKind {
  triple_chevron,
  launch_kernel,
  launch_kernel_ex,
  cooperative,
  graph,
  driver,
  device_side,
  address
};
struct LaunchSite {
  SourcePlace place;
  LaunchKind kind = LaunchKind::triple_chevron;
  bool caught = true;  ///< false: the swap cannot replace it (cooperative, graph, driver, device side)
};

/// By how much the arithmetic may be less precise than the original's. `same`: not at all. `tf32`, `half`,
/// `bf16`: operands may be rounded to that type, while sums keep the original's type. `relaxed`: outputs may
/// deviate by the two numbers of Precision.
enum class PrecisionKind { same, tf32, half, bf16, relaxed };
struct Precision {
  PrecisionKind kind = PrecisionKind::same;
  double relative = 0,
         absolute = 0;  ///< of `relaxed`; every element: |got - exact| <= absolute + relative * |exact|
};

/// A condition on the kernel's scalar parameters that the developer guarantees: "cols % 4 == 0". Cases that
/// violate it are not judged, and the guard tests it at every launch.
struct Assumption {
  std::string expression;
  SourcePlace place;
};

/// The inputs that a record depends on and that the launcher can check without parsing C++.
struct Fingerprint {
  struct File {
    std::string path;    ///< relative to the record root when below or near it, else absolute
    std::string sha256;  ///< of the content
  };
  std::string source;       ///< path of the translation unit, relative to the record root
  std::vector<File> files;  ///< the source and every user header it includes, sorted by path
  std::string macros;  ///< sha256 over the -D, -U, -include and -std options in order, each length-prefixed
};

struct CompileCommand {
  std::string folder;    ///< working folder of the command
  std::string source;    ///< absolute path
  std::string compiler;  ///< nvcc or clang++, as written in the command
  std::vector<std::string>
      flags;  ///< -D, -I, -isystem, -std, -O and -X options; no source, output, depfile or arch
  std::vector<std::string>
      architectures;  ///< "sm_90", "sm_90a", "compute_80": what the object contains code for
};

/// The slice with every floating type promoted to double (annotate/rewrite/twin.h).
struct Twin {
  std::string source;              ///< compiles behind twin_prelude.h; empty when there is no twin
  std::string instantiation;       ///< KernelSpec::instantiation with promoted types
  std::vector<std::string> types;  ///< Parameter::type of each parameter, promoted
  bool sixteen = false;            ///< true: 16-bit types were promoted, not only float
  std::string missing;  ///< why there is no twin: "norm.cu:12: '__float_as_int' reads the bits of a float"
};

struct KernelSpec {
  std::string name;  ///< of the record: the name() clause, else the qualified name; only [A-Za-z0-9_.-]
  std::string qualified_name;  ///< "ns::rms_norm"
  std::string instantiation;   ///< how code in its namespace names it: "rms_norm" or "rms_norm<float, 128>"
  std::vector<std::string> namespaces;  ///< outermost first; "" is an anonymous namespace
  std::string symbol;                   ///< mangled name
  SourcePlace place;
  Precision precision;
  std::vector<Assumption> assumptions;
  bool deterministic = false;  ///< repeated launches on the same data must give the same bytes
  std::vector<Parameter> parameters;
  std::vector<Workload> workloads;
  std::vector<LaunchSite> launches;
  std::vector<std::string> device_globals;  ///< __constant__ and __device__ variables that the slice mentions
  std::string slice;                        ///< self-contained source: compiles alone with `command.flags`
  Twin twin;
  std::string kernel_id;    ///< sha256 of the slice's tokens and of the clauses that define correctness
  std::string workload_id;  ///< sha256 of the workload clauses; a change makes a record stale, never wrong
  Fingerprint fingerprint;
  CompileCommand command;
  CodeFacts facts;
  Lifted lifted;
};

/// f16, bf16, f32 or f64.
bool is_floating(ElementType);
const char *to_string(ElementType);
const char *to_string(BufferRole);
const char *to_string(FillKind);
const char *to_string(LaunchKind);
/// The spelling of the clause: "same", "tf32", "relaxed(0.01, 0)". Verdicts and records use it too.
std::string to_string(const Precision &);

}  // namespace cupilot::spec
