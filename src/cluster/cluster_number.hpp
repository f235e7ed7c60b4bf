// Private: how many clusters there are.
#pragma once

#include <cstddef>
#include <vector>

#include "nw/base/matrix_view.hpp"
#include "nw/base/rng.hpp"
#include "nw/measure/mixture.hpp"

#include "cluster/linkages.hpp"
#include "cluster/separation.hpp"

namespace nw::cluster {

/// Where and how Gaussians are fitted: on so many leading principal components, in one shape.
struct GaussianSpace {
  std::size_t columns = 0;  ///< 0: not chosen yet
  measure::Shape shape = measure::Shape::full;
  std::size_t components = 0;  ///< about as many were found; 0: any number
};

struct NumberTask {
  MatrixView rows;
  const Neighbourhood* around = nullptr;
  const std::vector<Linkage>* linkages = nullptr;
  std::size_t most = 1;
  GaussianSpace space = {};
  int threads = 0;
};

struct FoundNumber {
  std::size_t k = 1;
  std::size_t apart = 1;      ///< by depth alone; 1: nothing lies apart
  std::size_t gaussians = 1;  ///< components of the likeliest mixture for its size
  bool explained = false;     ///< that mixture predicts rows as well as a kernel estimate
  GaussianSpace space = {};   ///< of that mixture
};

[[nodiscard]] FoundNumber find_number(const NumberTask& task, const Rng& rng);

}  // namespace nw::cluster
