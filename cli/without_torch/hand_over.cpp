#include "cli/hand_over.hpp"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

#include <unistd.h>

#include "nw/base/error.hpp"

namespace nw::cli {
namespace {

std::vector<std::string> own_arguments() {
  std::ifstream file("/proc/self/cmdline", std::ios::binary);
  std::vector<std::string> arguments;
  for (std::string argument; std::getline(file, argument, '\0');) arguments.push_back(argument);
  return arguments;
}

std::string learning_program() {
  return std::filesystem::read_symlink("/proc/self/exe").parent_path() / "nw-torch";
}

}  // namespace

bool can_learn() {
  return std::filesystem::exists(learning_program());
}

void hand_over_to_torch() {
  const std::string program = learning_program();
  require(std::filesystem::exists(program),
          "this command learns, and nw was built without LibTorch: there is no ", program,
          "; install libtorch-dev and build again");
  std::vector<std::string> arguments = own_arguments();
  std::vector<char*> pointers;
  pointers.reserve(arguments.size() + 1);
  for (auto& argument : arguments) pointers.push_back(argument.data());
  pointers.push_back(nullptr);
  // Threads that wait by spinning make a training run crawl as soon as something else needs a core.
  ::setenv("OMP_WAIT_POLICY", "passive", /*overwrite=*/0);
  std::cout.flush();
  ::execv(program.c_str(), pointers.data());
  throw IoError(concat(program, ": cannot be started: ", std::strerror(errno)));
}

}  // namespace nw::cli
