#include "nw/app/clustering/options.hpp"

namespace nw::app {

void ClusteringOptions::validate() const {
  require_fields_in_range("ClusteringOptions", *this);
}

}  // namespace nw::app
