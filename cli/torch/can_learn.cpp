#include "cli/hand_over.hpp"

namespace nw::cli {

bool can_learn() {
  return true;
}

}  // namespace nw::cli
