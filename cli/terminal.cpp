#include "cli/terminal.hpp"

#include <algorithm>
#include <cstdlib>
#include <string_view>

#include <sys/ioctl.h>
#include <unistd.h>

namespace nw::cli {
namespace {

constexpr std::size_t kNarrowest = 30;

bool given(const char* variable) {
  const char* value = std::getenv(variable);
  return value != nullptr && *value != '\0';
}

}  // namespace

report::TextStyle standard_output() {
  report::TextStyle terminal;
  if (isatty(STDOUT_FILENO) != 1) return terminal;
  terminal.interactive = true;
  winsize size{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) {
    terminal.width = std::max<std::size_t>(size.ws_col, kNarrowest);
  }
  const char* kind = std::getenv("TERM");
  const bool dumb = kind == nullptr || std::string_view(kind) == "dumb";
  terminal.colour = !dumb && !given("NO_COLOR");
  return terminal;
}

}  // namespace nw::cli
