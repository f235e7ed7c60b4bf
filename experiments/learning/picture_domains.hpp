// Two kinds of pictures with the same classes, in other proportions for every seed: as features of
// a backbone or as images.
#pragma once

#include <string>
#include <vector>

#include "nw/adapt/domain.hpp"
#include "nw/io/points.hpp"

#include "app/learning/class_features.hpp"

namespace nw::experiments {

/// One kind of pictures; either features or images are there.
struct PictureDomain {
  std::string name;
  io::PointSet features = {};
  app::LabelledImages images = {};

  [[nodiscard]] bool has_images() const { return images.bytes.defined(); }
};

/// Rows of both kinds for one run.
struct PicturePair {
  adapt::InputForm form;
  adapt::DomainRows source, target;
  std::vector<std::int64_t> source_class, target_class;
};

/// As many rows as the proportions allow, drawn by `rng`.
[[nodiscard]] PicturePair draw_pair(const PictureDomain& source,
                                    const std::vector<double>& source_proportions,
                                    const PictureDomain& target,
                                    const std::vector<double>& target_proportions, const Rng& rng);

}  // namespace nw::experiments
