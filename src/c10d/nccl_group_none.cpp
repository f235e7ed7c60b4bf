#include "c10d/group.hpp"

namespace nw::mpi {

std::unique_ptr<Group> make_nccl_group(const StorePtr&, int, int) {
  return nullptr;
}

}  // namespace nw::mpi
