// A team by MPI, loaded when a job has several processes: whoever works alone needs no MPI library.
#include <array>
#include <memory>
#include <vector>

#include <mpi.h>

#include "nw/mpi/team_plugin.hpp"

#include "mpi/patient_wait.hpp"

namespace nw::mpi {
namespace {

/// MPI counts in int.
constexpr std::size_t kLargestPiece = std::size_t{1} << 28;

void check(int code, const char* what) {
  if (code == MPI_SUCCESS) return;
  std::array<char, MPI_MAX_ERROR_STRING> text{};
  int length = 0;
  MPI_Error_string(code, text.data(), &length);
  throw TeamLost(std::string(what) + " failed: " + text.data());
}

class MpiTeam final : public Team {
 public:
  explicit MpiTeam(StopRequested stop_requested) : stop_requested_(stop_requested) {
    int ready = 0;
    MPI_Initialized(&ready);
    if (ready == 0) check(MPI_Init(nullptr, nullptr), "MPI_Init");
    MPI_Comm_dup(MPI_COMM_WORLD, &world_);
    MPI_Comm_set_errhandler(world_, MPI_ERRORS_RETURN);
    MPI_Comm_rank(world_, &rank_);
    MPI_Comm_size(world_, &size_);
  }
  ~MpiTeam() override {
    // After a loss the others will not answer, and MPI_Finalize would wait for them.
    if (!lost_) MPI_Finalize();
  }

  int rank() const noexcept override { return rank_; }
  int size() const noexcept override { return size_; }
  void sum(std::span<double> values) override { reduce(values, MPI_DOUBLE); }
  void sum(std::span<float> values) override { reduce(values, MPI_FLOAT); }
  void share(std::span<std::byte> bytes) override { broadcast(bytes, MPI_BYTE); }

 private:
  /// To the first process and back: MPI_Allreduce may round differently on each.
  template <typename Value>
  void reduce(std::span<Value> values, MPI_Datatype type) {
    std::vector<Value> total(rank_ == 0 ? values.size() : 0);
    for (std::size_t at = 0; at < values.size(); at += kLargestPiece) {
      const std::size_t count = std::min(kLargestPiece, values.size() - at);
      MPI_Request request;
      check(MPI_Ireduce(values.data() + at, rank_ == 0 ? total.data() + at : nullptr,
                        static_cast<int>(count), type, MPI_SUM, 0, world_, &request),
            "MPI_Ireduce");
      wait(request);
    }
    if (rank_ == 0) std::copy(total.begin(), total.end(), values.begin());
    broadcast(values, type);
  }

  template <typename Value>
  void broadcast(std::span<Value> values, MPI_Datatype type) {
    for (std::size_t at = 0; at < values.size(); at += kLargestPiece) {
      const std::size_t count = std::min(kLargestPiece, values.size() - at);
      MPI_Request request;
      check(MPI_Ibcast(values.data() + at, static_cast<int>(count), type, 0, world_, &request),
            "MPI_Ibcast");
      wait(request);
    }
  }

  void wait(MPI_Request& request) {
    try {
      wait_patiently(stop_requested_, [&] {
        int done = 0;
        check(MPI_Test(&request, &done, MPI_STATUS_IGNORE), "MPI_Test");
        return done != 0;
      });
    } catch (const TeamLost&) {
      lost_ = true;
      throw;
    }
  }

  StopRequested stop_requested_;
  MPI_Comm world_ = MPI_COMM_NULL;
  int rank_ = 0, size_ = 1;
  bool lost_ = false;
};

}  // namespace
}  // namespace nw::mpi

extern "C" nw::Team* nw_make_team(nw::mpi::StopRequested stop_requested) {
  return std::make_unique<nw::mpi::MpiTeam>(stop_requested).release();
}
