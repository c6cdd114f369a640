// SPDX-License-Identifier: Apache-2.0
//
// Locks of two bytes of one file (open file description locks, fcntl(2)). The second byte is the device:
// locked for reading by those beside each other, for writing by who is alone. The first is the door to it,
// and who waits for the device keeps it closed: otherwise those who share it could keep one who wants it
// alone waiting for ever.
#include "evolution/judge/launches/device_turn.h"

#include <fmt/format.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cctype>
#include <thread>

#include "annotate/support/log.h"

namespace cupilot::judge::launches {

namespace {

using Clock = std::chrono::steady_clock;

constexpr off_t kDoor = 0, kDevice = 1;
constexpr std::chrono::milliseconds kLookAgain{5};
constexpr std::chrono::seconds kTellAfter{15};

/// Whoever waits to be alone keeps the door closed, so a thread that has the device must not wait at it.
thread_local bool t_has_turn = false;

/// In the one folder that all users share, whatever TMPDIR says. -1: there is no such file for us.
int open_lock(const std::string &device) {
  std::string path = "/tmp/cupilot-device-";
  for (const char c : device) path += std::isalnum(static_cast<unsigned char>(c)) ? c : '-';
  path += ".lock";
  constexpr int kFlags = O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;
  int descriptor =
      ::open(path.c_str(), kFlags);  // without O_CREAT, which may be refused for another user's file
  if (descriptor < 0) {
    descriptor = ::open(path.c_str(), kFlags | O_CREAT | O_EXCL, 0666);
    if (descriptor >= 0)
      (void)::fchmod(descriptor, 0666);
    else
      descriptor = ::open(path.c_str(), kFlags);  // somebody made it meanwhile
  }
  struct stat status{};
  if (descriptor >= 0 && (::fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode))) {
    ::close(descriptor);
    return -1;
  }
  return descriptor;
}

bool lock(int descriptor, off_t what, short type) {
  struct flock wanted{};
  wanted.l_type = type;
  wanted.l_whence = SEEK_SET;
  wanted.l_start = what;
  wanted.l_len = 1;
  return ::fcntl(descriptor, F_OFD_SETLK, &wanted) == 0;
}

}  // namespace

DeviceTurn DeviceTurn::take(const std::string &device, Use use, std::chrono::seconds limit) {
  DeviceTurn turn;
  if (!device.empty() && !t_has_turn) turn.descriptor_ = open_lock(device);
  if (!turn.held()) return turn;
  const auto start = Clock::now();
  bool told = false;
  const auto wait_for = [&](off_t what, short type) {
    while (!lock(turn.descriptor_, what, type)) {
      turn.waited_ = Clock::now() - start;
      if (turn.waited_ > limit) return false;
      if (turn.waited_ > kTellAfter && !std::exchange(told, true))
        log::note(fmt::format("waiting for other judges on the GPU {}", device));
      std::this_thread::sleep_for(kLookAgain);
    }
    return true;
  };
  const short type = use == Use::alone ? F_WRLCK : F_RDLCK;
  if (wait_for(kDoor, F_WRLCK) && wait_for(kDevice, type)) {
    (void)lock(turn.descriptor_, kDoor, F_UNLCK);
    t_has_turn = true;
    return turn;
  }
  log::note(
      fmt::format("another judge has kept the GPU {} for {} s; going on beside it", device, limit.count()));
  DeviceTurn without;
  without.waited_ = turn.waited_;
  return without;
}

DeviceTurn::~DeviceTurn() {
  if (descriptor_ < 0) return;
  // A process that was forked meanwhile has the descriptor too until it executes its program.
  (void)lock(descriptor_, kDoor, F_UNLCK);
  (void)lock(descriptor_, kDevice, F_UNLCK);
  ::close(descriptor_);
  t_has_turn = false;
}

}  // namespace cupilot::judge::launches
