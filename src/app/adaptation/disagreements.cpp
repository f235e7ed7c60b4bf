#include "app/adaptation/disagreements.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "nw/base/error.hpp"
#include "nw/bridge/tensor_matrix.hpp"
#include "nw/record/picture.hpp"

namespace nw::app {
namespace {

constexpr std::size_t kNamedRows = 5;               // in the sentence
constexpr std::size_t kTiles = 12, kMostLines = 8;  // of the sheet
constexpr std::size_t kMostSide = 64,
                      kShownSide = 48;  // pixels of a copy, and of the page at least
constexpr double kEmpty = 0.5;          // grey as the gaps

/// Means over squares of `factor` x `factor` pixels; what is left over at the borders goes.
void shrink(std::span<const double> image, const io::ImageShape& from, std::size_t factor,
            const io::ImageShape& to, std::vector<std::uint8_t>& pixels) {
  const double share = 1.0 / static_cast<double>(factor * factor);
  for (std::size_t y = 0; y < to.height; ++y) {
    for (std::size_t x = 0; x < to.width; ++x) {
      for (std::size_t c = 0; c < to.channels; ++c) {
        double sum = 0.0;
        for (std::size_t dy = 0; dy < factor; ++dy) {
          for (std::size_t dx = 0; dx < factor; ++dx) {
            sum += image[((y * factor + dy) * from.width + x * factor + dx) * from.channels + c];
          }
        }
        const double value = std::clamp(sum * share, 0.0, 1.0);
        pixels.push_back(static_cast<std::uint8_t>(std::lround(255.0 * value)));
      }
    }
  }
}

/// The same pair of answers.
struct PairLine {
  std::int64_t unadapted = 0, adapted = 0;
  std::size_t rows = 0;
  std::vector<std::size_t> shown;  // rows of which there is an image, the surest first
};

/// Pairs by their number of rows; ties by the surest row.
std::vector<PairLine> lines_of(const std::vector<Disagreement>& differing,
                               const Thumbnails& images) {
  std::vector<PairLine> lines;
  std::map<std::pair<std::int64_t, std::int64_t>, std::size_t> place;
  for (const auto& one : differing) {
    const auto [at, is_new] = place.try_emplace({one.unadapted, one.adapted}, lines.size());
    if (is_new) lines.push_back({.unadapted = one.unadapted, .adapted = one.adapted, .shown = {}});
    auto& line = lines[at->second];
    ++line.rows;
    if (images.holds(one.row) && line.shown.size() < kTiles) line.shown.push_back(one.row);
  }
  std::erase_if(lines, [](const PairLine& line) { return line.shown.empty(); });
  std::stable_sort(lines.begin(), lines.end(),
                   [](const PairLine& a, const PairLine& b) { return a.rows > b.rows; });
  if (lines.size() > kMostLines) lines.resize(kMostLines);
  return lines;
}

std::string name_at(const std::vector<std::string>& names, std::int64_t index) {
  return names[static_cast<std::size_t>(index)];
}

}  // namespace

std::vector<Disagreement> disagreements(const adapt::Prediction& plain,
                                        const adapt::Prediction& adapted) {
  require(plain.predicted.size() == adapted.predicted.size(), "disagreements: predictions for ",
          plain.predicted.size(), " and ", adapted.predicted.size(), " rows");
  const Matrix before = bridge::to_matrix(plain.posterior),
               now = bridge::to_matrix(adapted.posterior);
  std::vector<Disagreement> found;
  for (std::size_t i = 0; i < plain.predicted.size(); ++i) {
    const auto a = plain.predicted[i], b = adapted.predicted[i];
    if (a == b) continue;
    found.push_back({.row = i,
                     .unadapted = a,
                     .adapted = b,
                     .sure = std::min(before(i, static_cast<std::size_t>(a)),
                                      now(i, static_cast<std::size_t>(b)))});
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const Disagreement& a, const Disagreement& b) { return a.sure > b.sure; });
  return found;
}

std::string describe(const std::vector<Disagreement>& differing, std::size_t rows,
                     const std::vector<std::string>& names) {
  if (differing.empty()) return "";
  std::string text = concat("With and without adaptation, ", differing.size(), " of ", rows,
                            " rows are given different classes, most surely ");
  const std::size_t shown = std::min(differing.size(), kNamedRows);
  for (std::size_t i = 0; i < shown; ++i) {
    const auto& one = differing[i];
    text += concat(i == 0           ? ""
                   : i + 1 == shown ? " and "
                                    : ", ",
                   "row ", one.row + 1, " (", name_at(names, one.adapted), " with it, ",
                   name_at(names, one.unadapted), " without)");
  }
  return text + ".";
}

Thumbnails thumbnails_of(const io::PointSet& images, std::size_t most_bytes) {
  if (!images.image || images.size() == 0) return {};
  const auto& whole = *images.image;
  if (whole.channels != 1 && whole.channels != 3) return {};
  const std::size_t side = std::max(whole.height, whole.width);
  const std::size_t factor =
      std::min((side + kMostSide - 1) / kMostSide, std::min(whole.height, whole.width));
  Thumbnails kept{.shape = {whole.height / factor, whole.width / factor, whole.channels},
                  .pixels = {}};
  const std::size_t bytes = kept.shape.height * kept.shape.width * kept.shape.channels;
  const std::size_t fitting = std::max<std::size_t>(1, most_bytes / bytes);
  kept.every = (images.size() + fitting - 1) / fitting;
  for (std::size_t i = 0; i < images.size(); i += kept.every) {
    shrink(images.values.row(i), whole, factor, kept.shape, kept.pixels);
  }
  return kept;
}

bool has_pictures(const std::vector<Disagreement>& differing, const Thumbnails& images) {
  return std::ranges::any_of(differing,
                             [&](const Disagreement& one) { return images.holds(one.row); });
}

record::Picture draw_disagreements(const std::vector<Disagreement>& differing,
                                   const Thumbnails& images,
                                   const std::vector<std::string>& names) {
  const auto lines = lines_of(differing, images);
  const std::size_t size = images.shape.height * images.shape.width * images.shape.channels;
  record::ImageSheet sheet{.shape = images.shape};
  sheet.zoom = (kShownSide + images.shape.width - 1) / images.shape.width;
  std::string answers;
  for (const auto& line : lines) {
    Matrix tiles(std::vector<double>(kTiles * size, kEmpty), kTiles, size);
    for (std::size_t t = 0; t < line.shown.size(); ++t) {
      const std::size_t first = line.shown[t] / images.every * size;
      for (std::size_t p = 0; p < size; ++p) tiles(t, p) = images.pixels[first + p] / 255.0;
    }
    sheet.lines.push_back(std::move(tiles));
    answers +=
        concat(answers.empty() ? "" : "; ", name_at(names, line.unadapted), " → ",
               name_at(names, line.adapted), " (", line.rows, line.rows == 1 ? " row)" : " rows)");
  }
  return record::draw_sheet(
      sheet, "Where adaptation changed the answer",
      concat("A line for each pair of answers, without adaptation → with it, the images first "
             "that both are surest of. From above: ",
             answers, "."));
}

}  // namespace nw::app
