// SPDX-License-Identifier: Apache-2.0
//
// What happens when the library is preloaded: programs and libraries that carry the runtime inside (nvcc's
// default, -cudart static) get its functions replaced by ours before their constructors register kernels.
// Programs that use a shared runtime find our functions first and need nothing. The library is linked with
// -z initfirst: its constructor runs before those of all other libraries, so it must not rely on any of them
// being set up (no environment, no streams).

#include <dlfcn.h>
#include <link.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "evolution/emulate/runtime/preload/elf_file.h"
#include "evolution/emulate/runtime/preload/patch.h"
#include "evolution/emulate/watch/watch.h"

namespace cupilot::emulate::runtime::preload {
namespace {

constexpr std::string_view kPrefixes[] = {"cuda", "__cuda"};
constexpr std::size_t kAlignment = 16;  ///< of functions: what lies before the next multiple is padding

struct Object {
  std::string path;
  std::uintptr_t base = 0;
  bool main = false;
};

[[noreturn]] void give_up(const std::string &path, const std::string &why) {
  std::fprintf(stderr, "cupilot: error: %s: %s\n", path.c_str(), why.c_str());
  _exit(2);
}

int collect(dl_phdr_info *info, std::size_t, void *to) {
  auto &objects = *static_cast<std::vector<Object> *>(to);
  const bool main = objects.empty();  // the program comes first
  objects.push_back({main ? "/proc/self/exe" : info->dlpi_name, info->dlpi_addr, main});
  return 0;
}

/// Our function of that name; nullptr: the name is the program's own.
const void *ours(const std::string &name, const void *base) {
  // No dlopen() of ourselves for a handle: it would run the C library's constructor, with an empty
  // environment.
  void *const found = dlsym(RTLD_DEFAULT, name.c_str());
  Dl_info place{};
  return found && dladdr(found, &place) && place.dli_fbase == base ? found : nullptr;
}

std::vector<Patch> patches_of(const Object &object, const ElfContent &content, const void *self_base) {
  std::vector<Patch> patches;
  for (const auto &function : content.functions) {
    const void *const instead = ours(function.name, self_base);
    if (!instead) continue;
    const auto room = (function.bytes + kAlignment - 1) / kAlignment * kAlignment;
    if (room < jump_bytes())
      give_up(object.path, "its function " + function.name +
                               " is too short to be replaced; link with -cudart shared instead");
    patches.push_back({reinterpret_cast<void *>(object.base + function.address), instead});
  }
  return patches;
}

bool has_runtime(const ElfContent &content) {
  for (const auto &function : content.functions)
    if (function.name == "__cudaRegisterFatBinary") return true;
  return false;
}

void replace_in(const Object &object, const void *self_base) {
  const auto content = read_elf_file(object.path, kPrefixes);
  if (!content) return;  // the kernel's own pages, and files that are gone
  if (!has_runtime(*content)) {
    if (object.main && content->has_device_code && !content->imports_runtime && !content->has_symbols)
      give_up("the program",
              "the CUDA runtime is linked into it statically and its symbols are stripped, so the runtime "
              "cannot be replaced; link it with -cudart shared, or do not strip it");
    return;
  }
  const auto done = apply_patches(patches_of(object, *content, self_base));
  if (!done) give_up(object.path, done.error().message + "; link with -cudart shared instead");
}

__attribute__((constructor)) void replace_runtimes() {
  watch::watch_launches();
  Dl_info place{};
  if (!dladdr(reinterpret_cast<const void *>(&replace_runtimes), &place)) return;
  std::vector<Object> objects;
  dl_iterate_phdr(collect, &objects);
  for (const auto &object : objects)
    if (object.base != reinterpret_cast<std::uintptr_t>(place.dli_fbase)) replace_in(object, place.dli_fbase);
}

}  // namespace
}  // namespace cupilot::emulate::runtime::preload
