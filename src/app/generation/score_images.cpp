#include "nw/app/generation/score_images.hpp"

#include <nlohmann/json.hpp>

#include "nw/base/error.hpp"
#include "nw/bridge/tensor_matrix.hpp"

#include "app/generation/image_scoring.hpp"
#include "app/learning/session.hpp"
#include "io/json_value.hpp"

namespace nw::app {
namespace {

SeenImages see_images(const ScoreSpace& space, const io::PointSet& points, std::size_t count) {
  require(points.image.has_value(), points.source,
          ": holds no images; sheets of them must be cut into tiles");
  const auto pixels = [](std::size_t n) { return static_cast<std::int64_t>(n); };
  auto rows = bridge::to_tensor(points.values);
  if (count > 0 && count < points.size()) rows = rows.narrow(0, 0, pixels(count));
  return see(
      space, rows,
      {pixels(points.image->height), pixels(points.image->width), pixels(points.image->channels)});
}

}  // namespace

ImageSetScores score_image_sets(const io::PointSet& generated, const io::PointSet& real,
                                const ScoreOptions& options) {
  start_learning(options.threads);
  const auto space = load_score_space(options.weights, choose_device(options.device));
  const auto seen = see_images(space, generated, options.count);
  const auto reference = see_images(space, real, options.count);
  const auto scores = score_images(seen, score::feature_moments(reference.features));
  return {.space = space.name,
          .published = space.is_inception(),
          .score_name = space.score_name(),
          .distance_name = space.distance_name(),
          .images = seen.features.rows(),
          .real_images = reference.features.rows(),
          .score = scores.score.mean,
          .deviation = scores.score.deviation,
          .distance = scores.distance};
}

std::string score_fields(const ImageSetScores& scores) {
  return Json{{"space", scores.space},
              {"images", scores.images},
              {"real_images", scores.real_images},
              {scores.published ? "inception_score" : "class_score", scores.score},
              {scores.published ? "inception_score_std" : "class_score_std", scores.deviation},
              {scores.published ? "fid" : "frechet_distance", scores.distance}}
      .dump();
}

}  // namespace nw::app
