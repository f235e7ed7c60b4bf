// The groups of a survey without their names, kept as bytes and used for one more person.
#include <iostream>

#include "nw/app/clustering/find_clusters.hpp"
#include "nw/base/error.hpp"

int main() {
  try {
    const nw::io::LoadOptions load{.columns = {"age", "income"}};
    const auto points = nw::io::load_points("examples/data/spring.csv", load);
    const nw::app::ClusteringOptions options{.k = 3, .method = nw::app::ClusterMethod::gmm};
    const auto result = nw::app::find_clusters(points, options);

    const auto centres = result.data_centres(points);
    for (std::size_t j = 0; j < result.pi.size(); ++j) {
      std::cout << 100.0 * result.pi[j] << " % around age " << centres(j, 0) << ", income "
                << centres(j, 1) << '\n';
    }
    const auto model = nw::app::cluster_model_from_bytes(result.model->to_bytes());
    const auto one = model->assign(nw::Matrix({70.0, 18.0}, 1, 2));
    std::cout << "70 years, 18 a year: cluster " << one.cluster[0] + 1 << ", membership "
              << one.confidence()[0] << '\n';
    return result.converged ? 0 : 1;
  } catch (const nw::Error& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
}
