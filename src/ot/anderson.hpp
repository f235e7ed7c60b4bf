// Private: Anderson acceleration of a fixed-point iteration g <- phi(g).
#pragma once

#include <cstddef>
#include <deque>
#include <span>
#include <vector>

namespace nw::ot {

/// Anderson's mixing (J. ACM 12, 1965; type II of Fang and Saad, 2009): the next point is the
/// combination of the last few images whose residual is least in the weighted norm. Where phi is
/// linear this is a Krylov method, so the number of iterations falls to about its square root.
class AndersonMixing {
 public:
  /// `weights` of the norm, one per component; `depth` >= 1 images are combined.
  AndersonMixing(std::span<const double> weights, std::size_t depth)
      : weights_(weights.begin(), weights.end()), depth_(depth) {}

  /// The next point, given a point and its image. Plain iteration until there is a history.
  [[nodiscard]] std::vector<double> next(const std::vector<double>& point,
                                         const std::vector<double>& image);
  /// Forgets the history: for a change of phi, or when mixing made things worse.
  void restart() { residual_steps_.clear(), image_steps_.clear(), last_image_.clear(); }

 private:
  std::vector<double> weights_;
  std::size_t depth_;
  std::deque<std::vector<double>> residual_steps_, image_steps_;
  std::vector<double> last_residual_, last_image_;
};

}  // namespace nw::ot
