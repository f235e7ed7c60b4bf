#include "run/run_lock.hpp"

#include <string>
#include <utility>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include "nw/run/run_directory.hpp"

#include "io/failure.hpp"

namespace nw::run {

using io::fail;
using io::system_reason;

RunLock::RunLock(const std::filesystem::path& folder) {
  const auto file = folder / "lock";
  descriptor_ = open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (descriptor_ < 0) fail(file.string(), "cannot be created: ", system_reason(errno));
  int result = 0;
  do {
    result = flock(descriptor_, LOCK_EX | LOCK_NB);
  } while (result != 0 && errno == EINTR);
  if (result != 0) {
    const int error = errno;
    char holder[32] = {};
    const ssize_t length = read(descriptor_, holder, sizeof holder - 1);
    close(std::exchange(descriptor_, -1));
    if (error != EWOULDBLOCK) fail(file.string(), "cannot be locked: ", system_reason(error));
    std::string process(holder, static_cast<std::size_t>(length > 0 ? length : 0));
    while (!process.empty() && process.back() == '\n') process.pop_back();
    throw RunBusy(concat(folder.string(), ": is in use by process ",
                         process.empty() ? "unknown" : process,
                         "; wait until it ends or choose another folder"));
  }
  // For people and for the message above; nothing else depends on it.
  const std::string self = std::to_string(getpid()) + "\n";
  const bool written =
      ftruncate(descriptor_, 0) == 0 && pwrite(descriptor_, self.data(), self.size(), 0) > 0;
  static_cast<void>(written);
}

RunLock::RunLock(RunLock&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}

RunLock::~RunLock() {
  if (descriptor_ >= 0) close(descriptor_);
}

}  // namespace nw::run
