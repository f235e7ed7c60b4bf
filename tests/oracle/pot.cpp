#include "oracle/pot.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include <sys/wait.h>
#include <unistd.h>

namespace nw::oracle {

namespace fs = std::filesystem;

void Pot::append(std::initializer_list<std::int64_t> header) {
  const auto* bytes = reinterpret_cast<const char*>(header.begin());
  bytes_.insert(bytes_.end(), bytes, bytes + header.size() * sizeof(std::int64_t));
}

void Pot::append(std::span<const double> values) {
  const auto* bytes = reinterpret_cast<const char*>(values.data());
  bytes_.insert(bytes_.end(), bytes, bytes + values.size() * sizeof(double));
}

void Pot::add(Kind kind, const ot::PointProblem& problem, std::span<const double> extras) {
  const auto& [source, target, cost] = problem;
  const auto size = [](std::size_t value) { return static_cast<std::int64_t>(value); };
  append({kind, size(source.points.rows()), size(target.points.rows()), size(source.points.cols()),
          cost == ot::GroundCost::euclidean ? 1 : 2, source.weights.empty() ? 0 : 1,
          target.weights.empty() ? 0 : 1, size(extras.size())});
  append(source.points.values());
  append(target.points.values());
  append(source.weights);
  append(target.weights);
  append(extras);
  ++count_;
}

void Pot::exact(const ot::MatrixProblem& problem) {
  append({kExact, static_cast<std::int64_t>(problem.cost.rows()),
          static_cast<std::int64_t>(problem.cost.cols()), 0, 1,
          problem.source_weights.empty() ? 0 : 1, problem.target_weights.empty() ? 0 : 1, 0});
  append(problem.cost.values());
  append(problem.source_weights);
  append(problem.target_weights);
  ++count_;
}

std::optional<std::vector<double>> Pot::answers() const {
  const fs::path folder =
      fs::temp_directory_path() / ("nw-pot-oracle-" + std::to_string(::getpid()));
  fs::create_directories(folder);
  const fs::path problems = folder / "problems", answers = folder / "answers";
  std::ofstream(problems, std::ios::binary)
      .write(bytes_.data(), static_cast<std::streamsize>(bytes_.size()));
  const std::string command = std::string("OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 ") +
                              NW_PYTHON " " NW_ORACLE_SCRIPT " " + problems.string() + " " +
                              answers.string();
  const int status = std::system(command.c_str());
  const int code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  std::vector<double> values(count_);
  std::ifstream file(answers, std::ios::binary);
  file.read(reinterpret_cast<char*>(values.data()),
            static_cast<std::streamsize>(values.size() * sizeof(double)));
  const bool complete = static_cast<bool>(file);
  fs::remove_all(folder);
  // 127: the shell found no Python at all.
  if (code == 77 || code == 127) return std::nullopt;
  if (code != 0 || !complete) throw Error(concat("pot_oracle.py failed with status ", code));
  return values;
}

}  // namespace nw::oracle
