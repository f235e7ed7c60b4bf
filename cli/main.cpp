#include "cli/join_team.hpp"
#include "cli/run.hpp"

int main(int argc, char** argv) {
  const int code = nw::cli::run({argv + 1, argv + argc});
  nw::cli::leave_team();
  return code;
}
