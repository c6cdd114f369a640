// SPDX-License-Identifier: Apache-2.0
//
// Tables of kernels and variables; callers hold the call mutex.

#include "evolution/emulate/runtime/api/code/registry.h"

#include <fmt/format.h>

#include <map>
#include <set>

#include "evolution/emulate/runtime/api/call.h"

namespace cupilot::emulate::runtime {
namespace {

struct Tables {
  std::map<const void *, std::unique_ptr<Kernel>> by_host;
  std::vector<std::unique_ptr<Kernel>> loaded;  ///< without a host function
  std::set<const Kernel *> handles;
  std::map<const void *, HostVariable> variables;
};

Tables &tables() {
  static auto &all = *new Tables;  // outlives the program's own destructors
  return all;
}

}  // namespace

int Kernel::resolve() {
  if (program) return abi::kSuccess;
  int code = abi::kSuccess;
  const auto loaded = image->program(code);
  if (!loaded) return code;
  const auto found = loaded->program->entries.find(name);
  if (found == loaded->program->entries.end())
    return refuse(abi::kInvalidDeviceFunction, fmt::format("the device code has no kernel '{}'", name));
  function = found->second;
  program = loaded;
  return place_managed(image);
}

void register_kernel(const void *host, std::shared_ptr<Image> image, const std::string &name) {
  auto kernel = std::make_unique<Kernel>();
  kernel->image = std::move(image);
  kernel->name = name;
  auto &place = tables().by_host[host];
  tables().handles.erase(place.get());
  tables().handles.insert(kernel.get());
  place = std::move(kernel);
}

void register_variable(const void *host, HostVariable variable) {
  tables().variables[host] = std::move(variable);
}

Kernel *find_kernel(const void *function_or_handle) {
  const auto &all = tables();
  if (const auto found = all.by_host.find(function_or_handle); found != all.by_host.end())
    return found->second.get();
  const auto handle = all.handles.find(static_cast<const Kernel *>(function_or_handle));
  return handle == all.handles.end() ? nullptr : const_cast<Kernel *>(*handle);
}

Kernel *kernel_of(const std::shared_ptr<Image> &image, const std::string &name) {
  for (const auto &kernel : tables().loaded)
    if (kernel->image == image && kernel->name == name) return kernel.get();
  int code = abi::kSuccess;
  const auto program = image->program(code);
  if (!program || !program->program->entries.contains(name)) return nullptr;
  auto kernel = std::make_unique<Kernel>();
  kernel->image = image;
  kernel->name = name;
  tables().handles.insert(kernel.get());
  tables().loaded.push_back(std::move(kernel));
  return tables().loaded.back().get();
}

std::vector<Kernel *> kernels_of(const std::shared_ptr<Image> &image) {
  std::vector<Kernel *> kernels;
  int code = abi::kSuccess;
  if (const auto program = image->program(code))
    for (const auto &[name, function] : program->program->entries)
      kernels.push_back(kernel_of(image, std::string(name)));
  return kernels;
}

HostVariable *find_host_variable(const void *host) {
  const auto found = tables().variables.find(host);
  return found == tables().variables.end() ? nullptr : &found->second;
}

int place_managed(const std::shared_ptr<Image> &image) {
  for (auto &[host, variable] : tables().variables) {
    if (variable.image != image || !variable.managed || *variable.managed) continue;
    int code = abi::kSuccess;
    const auto program = image->program(code);
    if (!program) return code;
    const auto place = find_variable(*program, variable.name);
    if (!place) return refuse(abi::kInvalidSymbol, place.error().message);
    *variable.managed = reinterpret_cast<void *>(place->address);
  }
  return abi::kSuccess;
}

void forget(const std::shared_ptr<Image> &image) {
  auto &all = tables();
  std::erase_if(all.handles, [&](const Kernel *kernel) { return kernel->image == image; });
  std::erase_if(all.by_host, [&](const auto &entry) { return entry.second->image == image; });
  std::erase_if(all.loaded, [&](const auto &kernel) { return kernel->image == image; });
  std::erase_if(all.variables, [&](const auto &entry) { return entry.second.image == image; });
}

}  // namespace cupilot::emulate::runtime
