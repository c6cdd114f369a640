// SPDX-License-Identifier: Apache-2.0
//
// Turns on one device, among all processes of this machine that judge on it. A timing has the device alone;
// everything else shares it. So two searches may use one GPU at the same time, and neither spoils the other's
// measurements. Other programs do not take turns; the judge notices those (evolution/judge/time/sharing.h).

#pragma once

#include <chrono>
#include <string>
#include <utility>

namespace cupilot::judge::launches {

class DeviceTurn {
public:
  enum class Use { beside, alone };

  /// Waits until the device is free for this use, at most `limit`; then it goes on without. Who waits to be
  /// alone goes before those who come later. `device`: its PCI bus id; empty, as for an emulated one: there
  /// is nobody to wait for. The same where the lock's file cannot be had, and where this thread has a turn
  /// already. A process that dies gives its turn up.
  static DeviceTurn take(const std::string &device, Use use,
                         std::chrono::seconds limit = std::chrono::minutes(10));

  DeviceTurn() = default;
  ~DeviceTurn();
  DeviceTurn(DeviceTurn &&other) noexcept
      : descriptor_(std::exchange(other.descriptor_, -1)), waited_(other.waited_) {}
  DeviceTurn &operator=(DeviceTurn &&other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    waited_ = other.waited_;
    return *this;
  }

  bool held() const { return descriptor_ >= 0; }
  std::chrono::steady_clock::duration waited() const { return waited_; }

private:
  int descriptor_ = -1;  ///< of a file that is open for this turn only: closing it ends the turn
  std::chrono::steady_clock::duration waited_{};
};

}  // namespace cupilot::judge::launches
