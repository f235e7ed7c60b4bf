// Makes calls of the system fail in a process that loads this library first (LD_PRELOAD).
//
//   NW_FAULT=CALL:ACTION@N[+]
//     CALL    read, write, fsync, rename, open, ftruncate, unlink, mkdir, thread (starting one),
//             or any: all that change files
//     ACTION  an error (ENOSPC, EIO, EINTR, EACCES, EROFS, EMFILE, EAGAIN), short (about half of
//             what was asked for), end (nothing left to read), or kill (the process kills itself
//             before the call)
//     N       counts the calls that match, from 1; a plus makes every later one fail too
//   NW_FAULT_PATH=TEXT
//     only files whose path holds TEXT count
#include <algorithm>
#include <atomic>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>

#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

namespace {

struct Rule {
  std::string call, action, path;
  long from = 0;
  bool on = false, and_later = false;
};

int error_number(std::string_view name) {
  if (name == "ENOSPC") return ENOSPC;
  if (name == "EIO") return EIO;
  if (name == "EINTR") return EINTR;
  if (name == "EACCES") return EACCES;
  if (name == "EROFS") return EROFS;
  if (name == "EMFILE") return EMFILE;
  if (name == "EAGAIN") return EAGAIN;
  return 0;
}

const Rule& rule() {
  static const Rule parsed = [] {
    Rule found;
    const char* const text = std::getenv("NW_FAULT");
    if (text == nullptr) return found;
    const std::string all = text;
    const std::size_t colon = all.find(':'), at = all.find('@');
    if (colon == std::string::npos || at == std::string::npos) return found;
    found.call = all.substr(0, colon);
    found.action = all.substr(colon + 1, at - colon - 1);
    found.from = std::atol(all.c_str() + at + 1);
    found.and_later = all.back() == '+';
    if (const char* path = std::getenv("NW_FAULT_PATH")) found.path = path;
    found.on = true;
    return found;
  }();
  return parsed;
}

std::string path_of(int descriptor) {
  char link[64], target[PATH_MAX];
  std::snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
  const ssize_t length = readlink(link, target, sizeof target);
  return length > 0 ? std::string(target, static_cast<std::size_t>(length)) : std::string();
}

/// What a call shall do: 0 go on, an errno to fail with, -1 short, -2 end.
constexpr int kShort = -1, kEnd = -2;

int verdict(std::string_view call, bool changes_files, const std::string& path) {
  const Rule& active = rule();
  if (!active.on || (active.call != call && !(active.call == "any" && changes_files))) return 0;
  if (!active.path.empty() && path.find(active.path) == std::string::npos) return 0;
  static std::atomic<long> calls{0};
  const long number = ++calls;
  if (number < active.from || (number > active.from && !active.and_later)) return 0;
  if (active.action == "kill") kill(getpid(), SIGKILL);
  // Interruptions that never end would never be survived: every second call gets through.
  if (active.action == "EINTR" && active.and_later && number % 2 == 0) return 0;
  if (active.action == "short") return kShort;
  if (active.action == "end") return kEnd;
  return error_number(active.action);
}

template <typename Function>
Function next(const char* name) {
  return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

std::size_t half(std::size_t count) {
  return std::max<std::size_t>(count / 2, std::min<std::size_t>(count, 1));
}

int fail_with(int error) {
  errno = error;
  return -1;
}

}  // namespace

extern "C" {

ssize_t write(int descriptor, const void* bytes, size_t count) {
  static const auto real = next<ssize_t (*)(int, const void*, size_t)>("write");
  const int fault = descriptor > 2 ? verdict("write", true, path_of(descriptor)) : 0;
  if (fault > 0) return fail_with(fault);
  return real(descriptor, bytes, fault == kShort ? half(count) : count);
}

ssize_t read(int descriptor, void* bytes, size_t count) {
  static const auto real = next<ssize_t (*)(int, void*, size_t)>("read");
  const int fault = verdict("read", false, path_of(descriptor));
  if (fault > 0) return fail_with(fault);
  if (fault == kEnd) return 0;
  return real(descriptor, bytes, fault == kShort ? half(count) : count);
}

ssize_t pread(int descriptor, void* bytes, size_t count, off_t offset) {
  static const auto real = next<ssize_t (*)(int, void*, size_t, off_t)>("pread");
  const int fault = verdict("read", false, path_of(descriptor));
  if (fault > 0) return fail_with(fault);
  if (fault == kEnd) return 0;
  return real(descriptor, bytes, fault == kShort ? half(count) : count, offset);
}
ssize_t pread64(int descriptor, void* bytes, size_t count, off_t offset) {
  return pread(descriptor, bytes, count, offset);
}

int fsync(int descriptor) {
  static const auto real = next<int (*)(int)>("fsync");
  const int fault = verdict("fsync", true, path_of(descriptor));
  return fault > 0 ? fail_with(fault) : real(descriptor);
}

int ftruncate(int descriptor, off_t length) {
  static const auto real = next<int (*)(int, off_t)>("ftruncate");
  const int fault = verdict("ftruncate", true, path_of(descriptor));
  return fault > 0 ? fail_with(fault) : real(descriptor, length);
}
int ftruncate64(int descriptor, off_t length) {
  return ftruncate(descriptor, length);
}

int rename(const char* from, const char* to) {
  static const auto real = next<int (*)(const char*, const char*)>("rename");
  const int fault = verdict("rename", true, to);
  return fault > 0 ? fail_with(fault) : real(from, to);
}

int unlink(const char* path) {
  static const auto real = next<int (*)(const char*)>("unlink");
  const int fault = verdict("unlink", true, path);
  return fault > 0 ? fail_with(fault) : real(path);
}
int remove(const char* path) {
  static const auto real = next<int (*)(const char*)>("remove");
  const int fault = verdict("unlink", true, path);
  return fault > 0 ? fail_with(fault) : real(path);
}

int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*start)(void*),
                   void* argument) {
  static const auto real =
      next<int (*)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*)>("pthread_create");
  const int fault = verdict("thread", false, {});
  return fault > 0 ? fault : real(thread, attributes, start, argument);
}

int mkdir(const char* path, mode_t mode) {
  static const auto real = next<int (*)(const char*, mode_t)>("mkdir");
  const int fault = verdict("mkdir", true, path);
  return fault > 0 ? fail_with(fault) : real(path, mode);
}

int open(const char* path, int flags, ...) {
  static const auto real = next<int (*)(const char*, int, ...)>("open");
  mode_t mode = 0;
  if ((flags & (O_CREAT | O_TMPFILE)) != 0) {
    va_list more;
    va_start(more, flags);
    mode = va_arg(more, mode_t);
    va_end(more);
  }
  const int fault = verdict("open", (flags & O_CREAT) != 0, path);
  return fault > 0 ? fail_with(fault) : real(path, flags, mode);
}
int open64(const char* path, int flags, ...) {
  mode_t mode = 0;
  if ((flags & (O_CREAT | O_TMPFILE)) != 0) {
    va_list more;
    va_start(more, flags);
    mode = va_arg(more, mode_t);
    va_end(more);
  }
  return open(path, flags, mode);
}

}  // extern "C"
