#include "nw/base/parallel.hpp"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

#include <sched.h>

#include "nw/base/error.hpp"

namespace nw {
namespace {

using Body = std::function<void(std::size_t, std::size_t, int)>;

/// One loop that is being worked on.
struct Loop {
  const Body* body;
  std::size_t count, grain;
  std::atomic<std::size_t> next{0};
  std::mutex error_mutex;
  std::exception_ptr error;

  void work(int worker) {
    try {
      for (;;) {
        const std::size_t begin = next.fetch_add(grain);
        if (begin >= count) return;
        (*body)(begin, std::min(count, begin + grain), worker);
      }
    } catch (...) {
      next.store(count);  // nobody starts another range
      const std::scoped_lock lock(error_mutex);
      if (!error) error = std::current_exception();
    }
  }
};

/// Sleeping workers, started when first needed. One loop at a time: a second caller is told so and
/// does its loop alone.
class Pool {
 public:
  ~Pool() {
    {
      const std::scoped_lock lock(mutex_);
      stopping_ = true;
    }
    wake_.notify_all();
    for (auto& thread : threads_) thread.join();
  }

  bool run(Loop& loop, int threads) {
    std::unique_lock caller(caller_mutex_, std::try_to_lock);
    if (!caller.owns_lock()) return false;
    {
      const std::scoped_lock lock(mutex_);
      start_workers(threads - 1);
      loop_ = &loop;
      helpers_ = threads - 1;
      running_ = 0;
      ++generation_;
    }
    wake_.notify_all();
    loop.work(0);
    std::unique_lock lock(mutex_);
    loop_ = nullptr;  // late wakers find nothing to do
    idle_.wait(lock, [this] { return running_ == 0; });
    return true;
  }

 private:
  void start_workers(int wanted) {
    try {
      while (static_cast<int>(threads_.size()) < wanted) {
        const int worker = static_cast<int>(threads_.size()) + 1;
        threads_.emplace_back([this, worker] { serve(worker); });
      }
    } catch (const std::system_error&) {
      // No memory or no right to start another thread: those that run do all the work.
    }
  }

  void serve(int worker) {
    std::uint64_t seen = 0;
    std::unique_lock lock(mutex_);
    for (;;) {
      wake_.wait(lock, [&] { return stopping_ || generation_ != seen; });
      if (stopping_) return;
      seen = generation_;
      if (loop_ == nullptr || worker > helpers_) continue;
      Loop& loop = *loop_;
      ++running_;
      lock.unlock();
      loop.work(worker);
      lock.lock();
      if (--running_ == 0) idle_.notify_one();
    }
  }

  std::mutex caller_mutex_, mutex_;
  std::condition_variable wake_, idle_;
  std::vector<std::thread> threads_;
  Loop* loop_ = nullptr;
  int helpers_ = 0, running_ = 0;
  std::uint64_t generation_ = 0;
  bool stopping_ = false;
};

thread_local bool inside_loop = false;

/// Marks this thread as inside a loop, so that nested loops run alone.
struct InsideLoop {
  InsideLoop() { inside_loop = true; }
  ~InsideLoop() { inside_loop = false; }
};

}  // namespace

int resolve_threads(int requested) {
  require(requested >= 0 && requested <= 1024, "threads must lie in [0, 1024], got ", requested);
  if (requested > 0) return requested;
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) == 0) return std::max(1, CPU_COUNT(&set));
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

void parallel_for(int threads, std::size_t count, std::size_t grain, const Body& body) {
  grain = std::max<std::size_t>(grain, 1);
  Loop loop{.body = &body, .count = count, .grain = grain, .error_mutex = {}, .error = nullptr};
  const Body marked = [&](std::size_t begin, std::size_t end, int worker) {
    const InsideLoop mark;
    body(begin, end, worker);
  };
  static Pool pool;
  const bool alone = threads <= 1 || count <= grain || inside_loop;
  if (alone) {
    loop.work(0);
  } else {
    loop.body = &marked;
    if (!pool.run(loop, threads)) loop.work(0);
  }
  if (loop.error) std::rethrow_exception(loop.error);
}

}  // namespace nw
