#include "cli/run.hpp"

int main(int argc, char** argv) {
  return nw::cli::run({argv + 1, argv + argc});
}
