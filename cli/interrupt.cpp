#include "cli/interrupt.hpp"

#include <atomic>

namespace nw::cli {
namespace {

std::atomic<bool> interrupt_requested{false};
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler may not wait for a lock");

void note_interrupt(int) {
  interrupt_requested = true;
}

}  // namespace

InterruptScope::InterruptScope() {
  interrupt_requested = false;
  struct sigaction action {};
  action.sa_handler = note_interrupt;
  action.sa_flags = static_cast<int>(SA_RESETHAND) | SA_RESTART;  // the second signal is fatal
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, &previous_int_);
  sigaction(SIGTERM, &action, &previous_term_);
}

InterruptScope::~InterruptScope() {
  sigaction(SIGINT, &previous_int_, nullptr);
  sigaction(SIGTERM, &previous_term_, nullptr);
}

bool InterruptScope::requested() noexcept {
  return interrupt_requested;
}

}  // namespace nw::cli
