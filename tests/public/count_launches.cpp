// SPDX-License-Identifier: Apache-2.0
//
// Counts the kernels that a process runs, by CUPTI's activity records and nothing of cupilot: what
// watching.py compares the watcher's counts with. The driver loads it (CUDA_INJECTION64_PATH); at the end of
// the process it writes "<count> <mangled name>" lines to the file that COUNT_FILE names.
#include <cupti.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>
#include <string>

namespace {

std::mutex counts_mutex;
std::map<std::string, std::uint64_t> counts;

void CUPTIAPI buffer_wanted(std::uint8_t **buffer, std::size_t *bytes, std::size_t *most_records) {
  *bytes = 8u << 20;
  *buffer = static_cast<std::uint8_t *>(std::aligned_alloc(8, *bytes));
  *most_records = 0;
}

void CUPTIAPI buffer_full(CUcontext, std::uint32_t, std::uint8_t *buffer, std::size_t, std::size_t valid) {
  const std::lock_guard lock(counts_mutex);
  CUpti_Activity *record = nullptr;
  while (cuptiActivityGetNextRecord(buffer, valid, &record) == CUPTI_SUCCESS)
    if (record->kind == CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL)
      ++counts[reinterpret_cast<const CUpti_ActivityKernel5 *>(record)->name];
  std::free(buffer);
}

void write_counts() {
  (void)cuptiActivityFlushAll(1);
  const char *path = std::getenv("COUNT_FILE");
  std::FILE *file = path ? std::fopen(path, "w") : nullptr;
  if (!file) return;
  const std::lock_guard lock(counts_mutex);
  for (const auto &[name, count] : counts)
    std::fprintf(file, "%llu %s\n", static_cast<unsigned long long>(count), name.c_str());
  std::fclose(file);
}

}  // namespace

extern "C" int InitializeInjection() {
  (void)cuptiActivityRegisterCallbacks(buffer_wanted, buffer_full);
  (void)cuptiActivityEnable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
  std::atexit(write_counts);
  return 1;
}
