#include "nw/app/clustering/options.hpp"

namespace nw::app {

void ClusteringOptions::validate() const {
  require_fields_in_range("ClusteringOptions", *this);
}

bool ClusteringOptions::asks_to_learn() const {
  const ClusteringOptions plain;
  return recipe != plain.recipe || start != plain.start || rule != plain.rule || steps || batch ||
         latent || width || diversity || moves;
}

}  // namespace nw::app
