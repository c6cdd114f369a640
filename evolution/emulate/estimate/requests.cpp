// SPDX-License-Identifier: Apache-2.0
#include "evolution/emulate/estimate/requests.h"

#include <algorithm>

namespace cupilot::emulate::estimate {

namespace {

constexpr unsigned kBanks = 32, kWord = 4;

/// The largest number of different words in one bank among the lanes in `mask`.
SharedCost cost_of(const machine::AccessSeen &access, program::Mask mask) {
  std::uint64_t words[program::kLanes * 4];
  unsigned count = 0;
  bool ascending = true;
  for (program::Mask rest = mask; rest; rest &= rest - 1) {
    const std::uint64_t first = access.address[__builtin_ctz(rest)] / kWord;
    for (unsigned k = 0; k < std::max(1u, access.bytes / kWord); ++k) {
      if (count && words[count - 1] == first + k) continue;
      ascending &= count == 0 || words[count - 1] < first + k;
      words[count++] = first + k;
    }
  }
  if (ascending && words[count - 1] - words[0] < kBanks) return {1, count};
  std::sort(words, words + count);
  const auto end = std::unique(words, words + count);
  unsigned used[kBanks] = {}, most = 0;
  for (auto word = words; word != end; ++word) most = std::max(most, ++used[*word % kBanks]);
  return {most, static_cast<unsigned>(end - words)};
}

}  // namespace

unsigned append_sectors(const machine::AccessSeen &access, std::vector<std::uint64_t> &sectors) {
  const std::size_t begin = sectors.size();
  for (program::Mask rest = access.mask; rest; rest &= rest - 1) {
    const std::uint64_t address = access.address[__builtin_ctz(rest)];
    for (std::uint64_t sector = address / kSectorBytes; sector <= (address + access.bytes - 1) / kSectorBytes;
         ++sector) {
      if (sectors.size() > begin && sectors.back() == sector) continue;
      if (std::find(sectors.begin() + static_cast<std::ptrdiff_t>(begin), sectors.end(), sector) ==
          sectors.end())
        sectors.push_back(sector);
    }
  }
  return static_cast<unsigned>(sectors.size() - begin);
}

unsigned count_lines(const std::uint64_t *sectors, unsigned count) {
  constexpr std::uint64_t kOfLine = kLineBytes / kSectorBytes;
  unsigned lines = 0;
  for (unsigned i = 0; i < count; ++i) {
    bool seen = false;
    for (unsigned k = 0; k < i && !seen; ++k) seen = sectors[k] / kOfLine == sectors[i] / kOfLine;
    lines += !seen;
  }
  return lines;
}

SharedCost shared_cost(const machine::AccessSeen &access) {
  if (access.mask == 0) return {};
  if (access.bytes <= 4) return cost_of(access, access.mask);
  const unsigned parts = std::min(4u, access.bytes / kWord), lanes = program::kLanes / parts;
  SharedCost sum;
  for (unsigned part = 0; part < parts; ++part) {
    const program::Mask group = ((1u << lanes) - 1) << (part * lanes);
    if (!(access.mask & group)) continue;
    const SharedCost one = cost_of(access, access.mask & group);
    sum.wavefronts += one.wavefronts;
    sum.words += one.words;
  }
  if (sum.words == parts * (access.bytes / kWord)) sum.wavefronts = 1;  // all lanes read the same
  return sum;
}

unsigned l1_wavefronts(const machine::AccessSeen &access, unsigned lines) {
  constexpr unsigned kLookUps = 4;
  return std::max(shared_cost(access).wavefronts, (lines + kLookUps - 1) / kLookUps);
}

Contention contention(const machine::AccessSeen &access) {
  Contention found;
  std::uint64_t addresses[program::kLanes];
  unsigned count = 0;
  for (program::Mask rest = access.mask; rest; rest &= rest - 1)
    addresses[count++] = access.address[__builtin_ctz(rest)];
  std::sort(addresses, addresses + count);
  for (unsigned i = 0; i < count;) {
    unsigned end = i;
    while (end < count && addresses[end] == addresses[i]) ++end;
    ++found.distinct;
    if (end - i > found.lanes) {
      found.lanes = end - i;
      found.address = addresses[i];
    }
    i = end;
  }
  return found;
}

}  // namespace cupilot::emulate::estimate
