// SPDX-License-Identifier: Apache-2.0
#include "evolution/judge/launches/moved_addresses.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <span>

namespace cupilot::judge::launches {

namespace {

constexpr std::uint64_t kUnit = 2u << 20, kFar = std::uint64_t{1} << 37;
constexpr std::uint64_t kNearUnit = 256, kNearUnits = 15;
/// Where programs' addresses are: from 8 GiB to 64 TiB.
constexpr std::uint64_t kLowest = std::uint64_t{1} << 33, kSpan = std::uint64_t{1} << 46;

std::uint64_t word_at(std::span<const std::byte> bytes, std::size_t at) {
  std::uint64_t word = 0;
  std::memcpy(&word, bytes.data() + at, sizeof word);
  return word;
}

void set_word(std::span<std::byte> bytes, std::uint64_t word) {
  std::memcpy(bytes.data(), &word, sizeof word);
}

std::uint64_t mixed(std::uint64_t seed) {  // splitmix64, https://prng.di.unimi.it/splitmix64.c
  seed = (seed ^ (seed >> 30)) * 0xbf58'476d'1ce4'e5b9u;
  seed = (seed ^ (seed >> 27)) * 0x94d0'49bb'1331'11ebu;
  return seed ^ (seed >> 31);
}

}  // namespace

MovedAddresses::MovedAddresses(const RecordQuestion &question, Move move, std::uint64_t chance)
    : question_(question) {
  if (move == Move::none) return;
  Places places;
  std::map<std::uint64_t, std::uint64_t> bytes;  // by address: how many there are
  const auto see = [&](std::uint64_t address, std::uint64_t count) {
    if (!address) return;
    places[address] = address;
    bytes[address] = std::max(bytes[address], count);
  };
  std::vector<std::size_t> pointers;
  const bool sizes = question.pointer_bytes.size() == question.pointers.size();
  for (std::size_t i = 0; i < question.pointers.size(); ++i) {
    const auto index = question.pointers[i];
    if (index >= question.arguments.size() || question.arguments[index].size() != sizeof(std::uint64_t))
      continue;
    pointers.push_back(index);
    see(word_at(question.arguments[index], 0), sizes ? question.pointer_bytes[i] : 0);
  }
  for (const auto &piece : question.scratch) see(piece.address, piece.bytes);
  if (places.empty()) return;
  if (move == Move::side_by_side && sizes)
    send_side_by_side(places, bytes, chance);
  else
    send_apart(places, bytes, move, chance);
  for (const auto &[address, place] : places) distances_.push_back(place - address);
  for (const auto index : pointers)
    if (const auto address = word_at(question.arguments[index], 0))
      set_word(question_.arguments[index], places.at(address));
  for (auto &piece : question_.scratch)
    if (piece.address) piece.address = places.at(piece.address);
}

void MovedAddresses::send_apart(Places &places, const std::map<std::uint64_t, std::uint64_t> &bytes,
                                Move move, std::uint64_t chance) {
  const std::uint64_t lowest = places.begin()->first;
  const std::uint64_t start = (kLowest + mixed(chance) % kSpan) / kUnit * kUnit;
  std::uint64_t number = 0, end = 0;  // of the memory so far
  const std::uint64_t *before = nullptr;
  std::uint64_t before_address = 0;
  for (auto &[address, place] : places) {
    const std::uint64_t own_end = address + bytes.at(address);
    if (move != Move::together && before && address < end) {
      place = *before + (address - before_address);
      end = std::max(end, own_end);
      continue;
    }
    end = own_end;
    const auto order = move == Move::apart_backwards ? places.size() - number++ : ++number;
    const auto apart =
        move == Move::together ? 0 : order * kFar + mixed(chance + order) % kFar / 4 / kUnit * kUnit;
    const auto distance = start - lowest / kUnit * kUnit + apart;
    place = address + distance;
    if (move != Move::together) place -= (address - lowest) / kUnit * kUnit;
    before = &place, before_address = address;
  }
}

/// What overlaps stays as it is; each other stretch of memory begins behind another one, often at once.
void MovedAddresses::send_side_by_side(Places &places, const std::map<std::uint64_t, std::uint64_t> &bytes,
                                       std::uint64_t chance) {
  struct Stretch {
    std::uint64_t begin, end, order;
  };
  std::vector<Stretch> stretches;
  for (const auto &[address, count] : bytes) {
    if (stretches.empty() || address >= stretches.back().end)
      stretches.push_back({address, address, mixed(chance + 2 * stretches.size() + 1)});
    stretches.back().end = std::max(stretches.back().end, address + std::max<std::uint64_t>(count, 1));
  }
  std::ranges::sort(stretches, {}, &Stretch::order);
  std::uint64_t at = (kLowest + mixed(chance) % kSpan) / kUnit * kUnit;
  for (const Stretch &stretch : stretches) {
    at = (at + kNearUnit - 1) / kNearUnit * kNearUnit + stretch.begin % kNearUnit;
    for (auto each = places.lower_bound(stretch.begin); each != places.end() && each->first < stretch.end;
         ++each)
      each->second = at + (each->first - stretch.begin);
    at += stretch.end - stretch.begin;
    if (stretch.order % 2) at += stretch.order / 2 % kNearUnits * kNearUnit;
  }
}

bool MovedAddresses::moved(std::uint64_t from, std::uint64_t to) const {
  return std::ranges::find(distances_, to - from) != distances_.end();
}

LaunchList MovedAddresses::put_back(LaunchList answer, const LaunchList &original) const {
  if (answer.work.size() != original.work.size()) return answer;
  for (std::size_t i = 0; i < answer.work.size(); ++i) {
    auto &work = answer.work[i];
    const auto &theirs = original.work[i];
    if (moved(theirs.address, work.address)) work.address = theirs.address;
    if (work.arguments.size() != theirs.arguments.size()) continue;
    for (std::size_t k = 0; k < work.arguments.size(); ++k) {
      auto &mine = work.arguments[k];
      const auto &its = theirs.arguments[k];
      if (mine.size() != its.size()) continue;
      // a kernel's parameters are aligned like structures, so an address begins at a multiple of its size
      for (std::size_t at = 0; at + sizeof(std::uint64_t) <= mine.size(); at += sizeof(std::uint64_t))
        if (const auto word = word_at(its, at); moved(word, word_at(mine, at)))
          set_word(std::span(mine).subspan(at), word);
    }
  }
  return answer;
}

}  // namespace cupilot::judge::launches
