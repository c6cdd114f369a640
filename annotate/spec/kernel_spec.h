// SPDX-License-Identifier: Apache-2.0
//
// What the extractor says of one annotated kernel (one instantiation of it, if a template): plain data, made
// by annotate/extract, read by everybody. Names no Clang type. JSON form: kernel_spec_json.h.

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "annotate/spec/code_facts.h"
#include "annotate/support/diagnostic.h"

namespace cupilot {

/// Types the judge can fill, poison and compare. `opaque`: a class type, carried as bytes.
enum class ElementType { i8, u8, i16, u16, i32, u32, i64, u64, boolean, f16, bf16, f32, f64, opaque };

enum class BufferRole { in, out, inout, scratch };

struct Parameter {
  std::string name;
  std::string type;  ///< canonical C++ spelling, usable at global scope: "const float *__restrict__"
  bool pointer = false;
  bool const_pointee = false;
  bool restrict_qualified = false;
  ElementType element = ElementType::opaque;  ///< of the pointee, or of the value itself
  std::string element_type;  ///< C++ spelling without qualifiers: "float", "__half", "ns::Particle"
  std::size_t element_bytes = 0;
};

/// How a buffer's first content is made. `normal(a=mean, b=stddev)`, `uniform(a, b)`, `randint(a, b)` (b
/// excluded).
enum class FillKind { automatic, normal, uniform, randint, iota, zeros, permutation, file };
struct Fill {
  FillKind kind = FillKind::automatic;
  double a = 0, b = 1;
  std::string file;
};

struct BufferUse {
  std::string parameter;
  BufferRole role = BufferRole::in;
  std::string extent;  ///< elements, an expression over the names set before
  Fill fill;
  SourcePlace place;
};

struct Assignment {
  std::string name;
  std::string expression;
};

/// Expressions over kernel parameters and names set by the workload (annotate/directive/expression.h
/// evaluates).
struct LaunchShape {
  std::array<std::string, 3> grid{"1", "1", "1"};
  std::array<std::string, 3> block{"1", "1", "1"};
  std::string shared_bytes = "0";
  bool from_source = false;  ///< read off a launch in the source rather than a launch() clause
};

struct Workload {
  std::string id;
  std::vector<Assignment> set;     ///< in the order written; each may use the ones before
  std::vector<BufferUse> buffers;  ///< one per pointer parameter
  LaunchShape launch;
  bool check = false;    ///< correctness only, never timed
  double weight = 1;     ///< in the overall speed-up; 0: timed, but need not be faster
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
  bool caught = true;  ///< false: the swap cannot see it (cooperative, graph, driver, device side)
};

/// How much narrower than the original's the arithmetic may be. `same`: not at all. tf32, half, bf16:
/// operands may be rounded to that type, sums are kept in the original's. relaxed: outputs may deviate by
/// this much.
enum class PrecisionKind { same, tf32, half, bf16, relaxed };
struct Precision {
  PrecisionKind kind = PrecisionKind::same;
  double relative = 0,
         absolute = 0;  ///< of `relaxed`: |got - exact| <= absolute + relative * |exact|, each element
};

/// What the developer vouches for, over the kernel's scalar parameters: "cols % 4 == 0". Cases that break it
/// are not judged, and the guard tests it at every launch.
struct Assumption {
  std::string expression;
  SourcePlace place;
};

/// Everything a record's validity depends on that the launcher can check without a parse.
struct Fingerprint {
  struct File {
    std::string path;    ///< relative to the record root when below or near it, else absolute
    std::string sha256;  ///< of the content
  };
  std::string source;       ///< path of the translation unit, relative to the record root
  std::vector<File> files;  ///< the source and every user header it includes, sorted by path
  std::string macros;  ///< sha256 over -D, -U, -include and -std options in order, "" fields length-prefixed
};

struct CompileCommand {
  std::string folder;    ///< working folder of the command
  std::string source;    ///< absolute
  std::string compiler;  ///< nvcc or clang++ as written
  std::vector<std::string>
      flags;  ///< -D -I -isystem -std -O and -X options; no source, output, depfile, arch
  std::vector<std::string>
      architectures;  ///< "sm_90", "sm_90a", "compute_80": what this object really contains
};

/// The slice with every floating type promoted to double (annotate/rewrite/twin.h).
struct Twin {
  std::string source;              ///< stands on twin_prelude.h; empty when there is none
  std::string instantiation;       ///< KernelSpec::instantiation, promoted
  std::vector<std::string> types;  ///< Parameter::type, promoted, one per parameter
  bool sixteen = false;            ///< 16-bit types were promoted, not float only
  std::string missing;             ///< "norm.cu:12: '__float_as_int' looks at the bits of a float"
};

struct KernelSpec {
  std::string name;  ///< of the record: name(id), else the qualified name; folder-safe: [A-Za-z0-9_.-]+
  std::string qualified_name;  ///< "ns::rms_norm"
  std::string
      instantiation;  ///< expression naming it inside its namespace: "rms_norm" or "rms_norm<float, 128>"
  std::vector<std::string> namespaces;  ///< outermost first; "" is an anonymous one
  std::string symbol;                   ///< mangled
  SourcePlace place;
  Precision precision;
  std::vector<Assumption> assumptions;
  bool deterministic = false;  ///< repeated launches on the same data must give the same bytes
  std::vector<Parameter> parameters;
  std::vector<Workload> workloads;
  std::vector<LaunchSite> launches;
  std::vector<std::string> device_globals;  ///< __constant__/__device__ objects the slice mentions
  std::string slice;                        ///< self-contained source: compiles alone with `command.flags`
  Twin twin;
  std::string kernel_id;    ///< sha256 of the slice's preprocessed tokens and the semantic clauses
  std::string workload_id;  ///< sha256 of the workload clauses; can make a record stale, never wrong
  Fingerprint fingerprint;
  CompileCommand command;
  CodeFacts facts;
};

/// f16, bf16, f32 or f64.
bool is_floating(ElementType);
const char *to_string(ElementType);
const char *to_string(BufferRole);
const char *to_string(FillKind);
const char *to_string(LaunchKind);
/// As the clause is written: "same", "tf32", "relaxed(0.01, 0)". Verdicts and records say it this way.
std::string to_string(const Precision &);

}  // namespace cupilot
