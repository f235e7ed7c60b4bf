#include "measure/class_scores.hpp"

#include <utility>

namespace nw::measure {

ClassScores class_scores(RowMatrix x, RowMatrix y, std::vector<std::uint32_t> class_of) {
  ClassScores scores;
  scores.rows_of.resize(static_cast<std::size_t>(x.cols()));
  for (std::size_t i = 0; i < class_of.size(); ++i) scores.rows_of[class_of[i]].push_back(i);
  scores.share_x.resize(x.cols());
  for (std::size_t c = 0; c < scores.classes(); ++c) {
    scores.share_x(static_cast<Eigen::Index>(c)) =
        static_cast<double>(scores.rows_of[c].size()) / static_cast<double>(class_of.size());
  }
  scores.x = std::move(x);
  scores.y = std::move(y);
  scores.class_of = std::move(class_of);
  return scores;
}

}  // namespace nw::measure
