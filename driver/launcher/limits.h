// SPDX-License-Identifier: Apache-2.0
//
// How much the launcher reads and how long it works. Beyond a limit the original kernels are used, or the
// user's command runs unchanged. docs/limits-and-switches.md lists them for users.

#pragma once

#include <cstddef>

namespace cupilot::launcher {

inline constexpr std::size_t kMostSourceBytes = 64u << 20;  ///< one source or header
inline constexpr std::size_t kMostUserBytes = 256u << 20;   ///< all that a source includes
inline constexpr std::size_t kMostUserFiles = 20'000;
inline constexpr std::size_t kMostRecordBytes = 16u << 20;
inline constexpr std::size_t kMostVariantBytes = 1u << 20;
inline constexpr std::size_t kMostRecordEntries = 10'000;         ///< in a folder of records
inline constexpr std::size_t kMostFingerprintBytes = 256u << 20;  ///< files of fingerprints, together
inline constexpr std::size_t kMostCacheBytes = 64u << 20;         ///< a file of the cache, or a depfile
inline constexpr std::size_t kMostObjectBytes = std::size_t{1} << 30;
inline constexpr int kMostOwnSeconds = 30;   ///< between two programs it starts
inline constexpr int kSwapSeconds = 1800;    ///< CUPILOT_SWAP_SECONDS: a compile with tuned kernels
inline constexpr int kAnnotateSeconds = 10;  ///< CUPILOT_ANNOTATE_SECONDS

}  // namespace cupilot::launcher
