// SPDX-License-Identifier: Apache-2.0

#include "evolution/capture/watcher.h"

#include <cxxabi.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <utility>

#include "annotate/support/files.h"
#include "annotate/support/text.h"
#include "evolution/capture/contents.h"
#include "evolution/capture/seen_json.h"

namespace cupilot::capture {
namespace {

/// "k(float*)" for _Z1kPf and _ZL1kPf, and for the names that nvcc makes of anonymous namespaces and of
/// static functions: "_INTERNAL_0e3c_4_a_cu_9d::k(float*)", "(anonymous namespace)::k(float*)".
std::string readable_name(const std::string &symbol) {
  int failed = 0;
  char *const text = abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &failed);
  std::string name = failed || !text ? symbol : text;
  std::free(text);
  name = cupilot::replace_all(std::move(name), "(anonymous namespace)::", "");
  const auto internal = name.find("_INTERNAL_");
  const auto end = internal == std::string::npos ? internal : name.find("::", internal);
  if (end != std::string::npos) name.erase(internal, end + 2 - internal);
  return name;
}

bool is_integer(spec::ElementType type) {
  return type != spec::ElementType::opaque && !spec::is_floating(type);
}

/// The bits of a scalar of at most eight bytes.
std::uint64_t bits_of(std::span<const std::byte> argument) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, argument.data(), std::min(argument.size(), sizeof bits));
  return bits;
}

/// Empty: no number, or none that has a literal.
std::string literal(std::span<const std::byte> argument, spec::ElementType type) {
  if (bytes_of(type) == 0 || argument.size() < bytes_of(type)) return "";
  const double value = element_at(argument.data(), type);
  if (!std::isfinite(value)) return "";
  char text[32];
  const auto written = [&](auto number) {
    return std::string(text, std::to_chars(text, text + sizeof text, number).ptr);
  };
  if (type == spec::ElementType::u64) return written(bits_of(argument));
  if (type == spec::ElementType::i64) return written(static_cast<std::int64_t>(bits_of(argument)));
  if (type == spec::ElementType::f64) return written(value);
  return is_integer(type) ? written(static_cast<std::int64_t>(value)) : written(static_cast<float>(value));
}

std::vector<std::byte> content(std::uint64_t address, std::uint64_t bytes, WatchedMemory &memory) {
  std::vector<std::byte> made(bytes);
  if (!memory.read(address, made)) made.clear();
  return made;
}

}  // namespace

std::unique_ptr<Watcher> Watcher::from_environment() {
  const char *folder = std::getenv(kFolderVariable);
  if (!folder || !*folder) return nullptr;
  auto watcher = of_folder(folder);
  if (watcher) return std::move(*watcher);
  std::fprintf(stderr, "cupilot: error: nothing is captured: %s\n", watcher.error().message.c_str());
  return nullptr;
}

Result<std::unique_ptr<Watcher>> Watcher::of_folder(const std::string &folder) {
  CUPILOT_TRY(text, read_file(std::filesystem::path(folder) / kWatchFile));
  CUPILOT_TRY(watch, watch_from_json(text));
  return std::unique_ptr<Watcher>(new Watcher(folder, std::move(watch)));
}

Watcher::Watcher(std::string folder, Watch watch) : folder_(std::move(folder)), watch_(std::move(watch)) {
  for (const WatchedKernel &kernel : watch_.kernels) {
    by_symbol_[kernel.symbol] = &kernel;
    const auto [place, fresh] = by_readable_name_.emplace(readable_name(kernel.symbol), &kernel);
    if (!fresh) place->second = nullptr;  // of several files: not known which
  }
}

const WatchedKernel *Watcher::find(std::string_view symbol) {
  {
    const std::shared_lock lock(mutex_);
    const auto known = by_symbol_.find(symbol);
    if (known != by_symbol_.end()) return known->second;
  }
  const std::lock_guard lock(mutex_);
  const auto name = readable_name(std::string(symbol));
  const auto named = by_readable_name_.find(name);
  const WatchedKernel *found = named == by_readable_name_.end() ? nullptr : named->second;
  if (!found && watch_.others) found = &others_.emplace_back(name, std::string(symbol));
  by_symbol_.emplace(symbol, found);
  return found;
}

/// A process that was forked has files of its own.
void Watcher::open_process() {
  if (process_ == getpid()) return;
  process_ = getpid();
  shapes_.clear();
  counts_ = nullptr;
  const auto path = folder_ + "/" + kCountsPrefix + std::to_string(process_);
  const int file = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (file < 0) return;
  constexpr std::size_t kBytes = kMostShapes * sizeof(std::uint64_t);
  void *const mapped = ftruncate(file, kBytes) == 0
                           ? mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0)
                           : MAP_FAILED;
  close(file);
  if (mapped != MAP_FAILED) counts_ = static_cast<std::uint64_t *>(mapped);
}

std::optional<std::uint64_t> Watcher::count(const Call &call) {
  std::vector<std::uint64_t> key{reinterpret_cast<std::uintptr_t>(call.kernel), call.shared_bytes};
  key.insert(key.end(), call.grid.begin(), call.grid.end());
  key.insert(key.end(), call.block.begin(), call.block.end());
  for (std::size_t i = 0; i < call.arguments.size(); ++i) {
    const spec::Parameter &parameter = call.kernel->parameters[i];
    if (!parameter.pointer && is_integer(parameter.element)) key.push_back(bits_of(call.arguments[i]));
  }
  const std::lock_guard lock(mutex_);
  open_process();
  const bool full = shapes_.size() + 1 >= kMostShapes && !shapes_.contains(key);
  if (full) {
    if (counts_) ++counts_[kMostShapes - 1];
    return std::nullopt;
  }
  Shape &shape = shapes_.try_emplace(key, Shape{shapes_.size()}).first->second;
  if (counts_) ++counts_[shape.number];
  if (shape.launches++ < watch_.skip || shape.looked_at >= watch_.take) return std::nullopt;
  ++shape.looked_at;
  return shape.number;
}

Look Watcher::before(const Call &call, std::uint64_t shape, WatchedMemory &memory) const {
  Look look;
  look.seen.kernel = call.kernel->name;
  look.seen.shape = shape;
  look.seen.process = getpid();
  look.seen.grid = call.grid;
  look.seen.block = call.block;
  look.seen.shared_bytes = call.shared_bytes;
  for (std::size_t i = 0; i < call.arguments.size(); ++i) {
    const spec::Parameter &parameter = call.kernel->parameters[i];
    if (!parameter.pointer) {
      look.seen.scalars.push_back(
          {parameter.name, literal(call.arguments[i], parameter.element), is_integer(parameter.element)});
      continue;
    }
    SeenBuffer buffer;
    buffer.parameter = parameter.name;
    const auto address = bits_of(call.arguments[i]);
    buffer.null = address == 0;
    if (const auto allocation = address ? memory.allocation(address) : std::nullopt) {
      buffer.bytes = allocation->bytes - (address - allocation->begin);
    }
    look.addresses.push_back(address);
    buffer.contents =
        contents_of(content(address, std::min(buffer.bytes, watch_.most_bytes), memory), parameter.element);
    look.seen.buffers.push_back(std::move(buffer));
  }
  return look;
}

void Watcher::after(SeenLaunch &seen, double work) {
  seen.work = work;
  const auto line = to_json(seen);
  const std::lock_guard lock(mutex_);
  (void)append_line(folder_ + "/" + kLaunchesPrefix + std::to_string(seen.process), line);
}

}  // namespace cupilot::capture
