// SPDX-License-Identifier: Apache-2.0
//
// All code that names the kernel is inside its namespaces, so anonymous namespaces need no special case.
#include "evolution/judge/bundle/entry_source.h"

#include <fmt/format.h>

#include <algorithm>

#include "annotate/directive/source_lexer.h"
#include "annotate/spec/twin_prelude.h"
#include "annotate/support/text.h"

namespace cupilot::judge::bundle {
namespace {

// CupilotCall is the ABI of evolution/model/bundle.h. A launch error with the number 1 would mean "declined".
constexpr const char *kPrologue = R"(
struct CupilotCall {
  unsigned grid[3], block[3];
  unsigned long long shared_bytes;
  void *stream;
  void **args;
  unsigned long long scratch_bytes;
};

template <class T>
T &cupilot_argument(const CupilotCall *call, int index) {
  return *static_cast<T *>(call->args[index]);
}

inline int cupilot_status() {
  const cudaError_t error = cudaGetLastError();
  return error == cudaErrorInvalidValue ? static_cast<int>(cudaErrorUnknown) : static_cast<int>(error);
}

)";

// What the launcher's wrapper (dispatch.cuh) includes before a variant, a test holds the two together.
// Otherwise a variant could ask by overloads or include guards which of the two compiles it.
constexpr const char *kWrapperHeaders = R"(
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <tuple>
#include <type_traits>
#include <utility>
)";

// More than 48 KiB of dynamic shared memory must be requested explicitly, as the user's host code does before
// its launch.
constexpr const char *kRunOriginal = R"(inline int cupilot_run(CupilotCall *call) {
  void (*kernel)(@types@) = @kernel@;
  if (call->shared_bytes > 48 * 1024)
    (void)cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                               static_cast<int>(call->shared_bytes));
  const dim3 grid(call->grid[0], call->grid[1], call->grid[2]), block(call->block[0], call->block[1], call->block[2]);
  (void)cudaGetLastError();
  kernel<<<grid, block, call->shared_bytes, static_cast<cudaStream_t>(call->stream)>>>(@arguments@);
  return cupilot_status();
}
)";

// The function pointer has the exact signature, so a parameter of another type is a build error instead of a
// silent conversion.
constexpr const char *kRunCandidate = R"(inline int cupilot_run(CupilotCall *call) {
  bool (*launch)(@launch_types@) = cupilot_variant::launch;
  const dim3 grid(call->grid[0], call->grid[1], call->grid[2]), block(call->block[0], call->block[1], call->block[2]);
  (void)cudaGetLastError();
  bool launched = false;
  {
    const ::cupilot::Launch l(grid, block, call->shared_bytes, static_cast<cudaStream_t>(call->stream));
    launched = launch(@launch_arguments@);
    call->scratch_bytes = l.scratch_bytes();
  }
  const int status = cupilot_status();
  return status == 0 && !launched ? 1 : status;
}
)";

constexpr const char *kEpilogue = R"(
extern "C" __attribute__((visibility("default"))) int cupilot_entry(CupilotCall *call) {
  return @scope@cupilot_run(call);
}
)";

std::string own_block(const std::string &block) {
  return block.ends_with('\n') ? block : block + "\n";
}

/// Makes the compiler report errors in generated lines with the name and line of the generated file.
void own_lines_follow(std::string &text) {
  text += fmt::format("#line {} \"entry.cu\"\n", std::ranges::count(text, '\n') + 2);
}

std::string head(const spec::KernelSpec &spec, const std::string &header) {
  std::string text = "// Made by cupilot; the worker compiles it into entry.so.\n";
  text += fmt::format("#line 1 \"{}.slice.cu\"\n{}", spec.name, own_block(spec.slice));
  own_lines_follow(text);
  return text + fmt::format("#include \"{}\"\n{}", header, kPrologue);
}

std::string opened(const spec::KernelSpec &spec) {
  std::string text;
  for (const auto &space : spec.namespaces) text += "namespace " + space + (space.empty() ? "{\n" : " {\n");
  return text;
}

std::string closed(const spec::KernelSpec &spec) {
  std::string text;
  for (std::size_t i = 0; i < spec.namespaces.size(); ++i) text += "}\n";
  // Names of an anonymous namespace are visible in the enclosing namespace.
  std::string scope = "::";
  for (const auto &space : spec.namespaces)
    if (!space.empty()) scope += space + "::";
  return text + replace_all(kEpilogue, "@scope@", scope);
}

/// Drops `__restrict__`: it is not part of a function's type, and g++ rejects pointers to such pointers in
/// templates.
std::string plain_type(const spec::Parameter &parameter) {
  auto type = replace_all(parameter.type, "__restrict__", "");
  type = replace_all(std::move(type), "__restrict", "");
  return std::string(trim(type));
}

std::string types(const spec::KernelSpec &spec) {
  std::vector<std::string> all;
  for (const auto &parameter : spec.parameters) all.push_back(plain_type(parameter));
  return join(all, ", ");
}

std::string arguments(const spec::KernelSpec &spec) {
  std::vector<std::string> all;
  for (std::size_t i = 0; i < spec.parameters.size(); ++i)
    all.push_back(fmt::format("cupilot_argument<{}>(call, {})", plain_type(spec.parameters[i]), i));
  return join(all, ", ");
}

std::string with_first(const std::string &first, const std::string &rest) {
  return rest.empty() ? first : fmt::format("{}, {}", first, rest);
}

}  // namespace

std::string original_entry(const spec::KernelSpec &spec) {
  auto run = replace_all(kRunOriginal, "@types@", types(spec));
  run = replace_all(std::move(run), "@kernel@", spec.instantiation);
  run = replace_all(std::move(run), "@arguments@", arguments(spec));
  return head(spec, "../include/cupilot/launch.cuh") + opened(spec) + run + closed(spec);
}

std::string twin_missing(const spec::KernelSpec &spec) {
  const spec::Twin &twin = spec.twin;
  if (!twin.missing.empty()) return twin.missing;
  const bool whole = !twin.source.empty() && twin.types.size() == spec.parameters.size();
  return whole ? "" : "the spec was made by an older cupilot-annotate";
}

std::string twin_entry(const spec::KernelSpec &spec) {
  spec::KernelSpec promoted = spec;
  promoted.slice = spec.twin.source;
  promoted.instantiation = spec.twin.instantiation;
  for (std::size_t i = 0; i < promoted.parameters.size(); ++i)
    promoted.parameters[i].type = spec.twin.types[i];
  const int shared_factor = spec.twin.sixteen ? 4 : 2;  // growth of data in dynamic shared memory
  const auto text = replace_all(original_entry(promoted), "call->shared_bytes",
                                fmt::format("({} * call->shared_bytes)", shared_factor));
  std::string prelude = "#line 1 \"twin_prelude.cuh\"\n" + std::string(spec::twin_prelude());
  if (spec.twin.sixteen)
    prelude += "#line 1 \"twin_prelude_sixteen.cuh\"\n" + std::string(spec::twin_prelude_sixteen());
  return prelude + text;
}

std::string candidate_entry(const spec::KernelSpec &spec, const model::Individual &individual) {
  auto text = head(spec, "../../include/cupilot/launch.cuh") + kWrapperHeaders + opened(spec);
  text += "namespace cupilot_variant {\n#line 1 \"variant.cuh\"\n" + own_block(individual.variant);
  // No macro of the variant reaches the generated code.
  for (const auto &macro : directive::macros_defined(individual.variant))
    text += fmt::format("#undef {}\n", macro);
  own_lines_follow(text);
  text += "}\n";
  auto run =
      replace_all(kRunCandidate, "@launch_types@", with_first("const ::cupilot::Launch &", types(spec)));
  run = replace_all(std::move(run), "@launch_arguments@", with_first("l", arguments(spec)));
  return text + run + closed(spec);
}

}  // namespace cupilot::judge::bundle
