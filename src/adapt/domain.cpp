#include "nw/adapt/domain.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <set>

#include "nw/base/error.hpp"
#include "nw/bridge/tensor_matrix.hpp"
#include "nw/io/pixels.hpp"

#include "adapt/image_windows.hpp"

namespace nw::adapt {
namespace {

using torch::Tensor;

// Sides below it are scaled up to meet larger images: digits of 16 pixels keep what is seen at 28.
constexpr std::int64_t kSmallSide = 28;

/// Whether cropping the larger image to the smaller one leaves what it shows.
bool within_a_quarter(std::int64_t small, std::int64_t large) {
  return small <= large && 4 * (large - small) <= small;
}

/// The side that images of two sizes meet at.
std::int64_t common_side(std::size_t a, std::size_t b) {
  const auto small = static_cast<std::int64_t>(std::min(a, b)),
             large = static_cast<std::int64_t>(std::max(a, b));
  if (within_a_quarter(small, large)) return small;
  return std::max(small, std::min(large, kSmallSide));
}

bool is_integer(const std::string& text, long long& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size();
}

}  // namespace

InputForm fit_form(const io::PointSet& source, const io::PointSet& target) {
  if (source.image.has_value() != target.image.has_value()) {
    const auto& images = source.image ? source : target;
    const auto& table = source.image ? target : source;
    throw IoError(concat(images.source, " holds images, ", table.source, " does not"));
  }
  InputForm form;
  if (source.image) {
    const auto &s = *source.image, &t = *target.image;
    form.image = {common_side(s.height, t.height), common_side(s.width, t.width),
                  static_cast<std::int64_t>(std::max(s.channels, t.channels))};
    return form;
  }
  io::require_same_dimension(source, target);
  const std::size_t d = source.dimension();
  const auto rows = static_cast<double>(source.size());
  form.shift.assign(d, 0.0);
  form.scale.assign(d, 0.0);
  for (std::size_t i = 0; i < source.size(); ++i) {
    for (std::size_t c = 0; c < d; ++c) form.shift[c] += source.values(i, c) / rows;
  }
  for (std::size_t i = 0; i < source.size(); ++i) {
    for (std::size_t c = 0; c < d; ++c) {
      const double delta = source.values(i, c) - form.shift[c];
      form.scale[c] += delta * delta / rows;
    }
  }
  for (double& scale : form.scale) scale = scale > 0.0 ? std::sqrt(scale) : 1.0;
  return form;
}

DomainRows::DomainRows(Tensor values, const InputForm& form)
    : values_(std::move(values)), form_(form) {
  require(values_.dim() == (form_.is_image() ? 4 : 2) && values_.size(0) > 0,
          "DomainRows: no rows, or rows of the wrong shape");
  if (form_.is_image()) {
    require(values_.scalar_type() == torch::kUInt8, "DomainRows: images must be bytes");
    require(values_.size(1) == form_.image.channels || values_.size(1) == 1,
            "DomainRows: images of ", values_.size(1), " channels, expected ",
            form_.image.channels);
    require(values_.size(2) >= form_.image.height && values_.size(3) >= form_.image.width,
            "DomainRows: images of ", values_.size(2), " x ", values_.size(3),
            " pixels are smaller than ", form_.image.height, " x ", form_.image.width);
  } else {
    require(values_.size(1) == form_.dim(), "DomainRows: rows of ", values_.size(1),
            " values, expected ", form_.dim());
  }
}

Tensor DomainRows::take(const Tensor& indices) const {
  if (!form_.is_image()) return values_.index_select(0, indices);
  return image_windows(values_, indices, {.size = form_.image}, {});
}

Tensor DomainRows::take(const Tensor& indices, train::Draws& draws,
                        const Augmentation& augmentation) const {
  if (!form_.is_image()) return values_.index_select(0, indices);
  const std::int64_t rows = indices.size(0);
  const bool larger = values_.size(2) > form_.image.height || values_.size(3) > form_.image.width;
  WindowDraws random;
  if (augmentation.shift > 0 || (augmentation.anywhere && larger)) {
    random.place = draws.uniform({rows, 2});
  }
  if (augmentation.jitter > 0.0) random.contrast = draws.uniform({rows, form_.image.channels, 3});
  return image_windows(values_, indices,
                       {.size = form_.image,
                        .anywhere = augmentation.anywhere,
                        .shift = augmentation.shift,
                        .jitter = augmentation.jitter},
                       random);
}

void DomainRows::to(const torch::Device& device) {
  values_ = values_.to(device);
}

DomainRows rows_of(const io::PointSet& points, const InputForm& form) {
  const auto n = static_cast<std::int64_t>(points.size());
  if (!form.is_image()) {
    if (points.image || points.dimension() != form.shift.size()) {
      throw IoError(concat(points.source, " has ", points.dimension(), " columns, expected ",
                           form.shift.size()));
    }
    Matrix scaled(points.size(), points.dimension());
    for (std::size_t i = 0; i < points.size(); ++i) {
      for (std::size_t c = 0; c < points.dimension(); ++c) {
        scaled(i, c) = (points.values(i, c) - form.shift[c]) / form.scale[c];
      }
    }
    return {bridge::to_tensor(scaled), form};
  }
  if (!points.image) throw IoError(concat(points.source, " holds no images"));
  const auto side = [](std::size_t pixels) { return static_cast<std::int64_t>(pixels); };
  const std::int64_t height = side(points.image->height), width = side(points.image->width);
  const std::int64_t channels = side(points.image->channels);
  if (channels != 1 && channels != form.image.channels) {
    throw IoError(concat(points.source, " has images of ", channels, " channels, expected 1 or ",
                         form.image.channels));
  }
  auto bytes = torch::empty({n, height, width, channels}, torch::kUInt8);
  const auto values = points.values.values();
  io::require_unit_pixels(points);
  std::transform(values.begin(), values.end(), bytes.data_ptr<std::uint8_t>(), [](double value) {
    return static_cast<std::uint8_t>(std::lround(std::clamp(value, 0.0, 1.0) * 255.0));
  });
  return {brought_near(bytes.permute({0, 3, 1, 2}).contiguous(), form.image), form};
}

Tensor brought_near(const Tensor& images, const nn::ImageSize& size) {
  const std::int64_t height = images.size(2), width = images.size(3);
  if (within_a_quarter(size.height, height) && within_a_quarter(size.width, width)) return images;
  const bool shrinks = height >= size.height && width >= size.width;
  auto scaled =
      torch::empty({images.size(0), images.size(1), size.height, size.width}, torch::kUInt8);
  // As numbers images take four times the memory: a part at a time.
  constexpr std::int64_t kAtOnce = 1024;
  for (std::int64_t first = 0; first < images.size(0); first += kAtOnce) {
    const std::int64_t count = std::min(kAtOnce, images.size(0) - first);
    const auto part = images.narrow(0, first, count).to(torch::kFloat32);
    const auto at_size = shrinks ? at::adaptive_avg_pool2d(part, {size.height, size.width})
                                 : at::upsample_bilinear2d(part, {size.height, size.width}, false,
                                                           c10::nullopt, c10::nullopt);
    scaled.narrow(0, first, count).copy_(at_size.round().clamp(0, 255).to(torch::kUInt8));
  }
  return scaled;
}

std::int64_t Classes::index_of(const std::string& name) const {
  const auto found = std::find(names.begin(), names.end(), name);
  return found == names.end() ? -1 : found - names.begin();
}

std::vector<std::int64_t> Classes::indices_of(const io::Labels& labels) const {
  std::vector<std::int64_t> result(labels.size());
  for (std::size_t i = 0; i < labels.size(); ++i) result[i] = index_of(labels.name_of(i));
  return result;
}

Classes classes_of(const io::Labels& labels) {
  std::set<std::string> distinct;
  for (std::size_t i = 0; i < labels.size(); ++i) distinct.insert(labels.name_of(i));
  require(distinct.size() >= 2, "the source needs rows of at least two classes, found ",
          distinct.empty() ? std::string("none") : "only " + *distinct.begin());
  Classes classes{.names = {distinct.begin(), distinct.end()}};
  std::vector<std::pair<long long, std::string>> numbered;
  for (const auto& name : classes.names) {
    long long value = 0;
    if (!is_integer(name, value)) return classes;
    numbered.emplace_back(value, name);
  }
  std::sort(numbered.begin(), numbered.end());
  for (std::size_t j = 0; j < numbered.size(); ++j) classes.names[j] = numbered[j].second;
  return classes;
}

Holdout hold_out(std::span<const std::int64_t> class_of, std::size_t classes, double share,
                 Rng rng) {
  constexpr std::size_t kFew = 20;
  std::vector<std::vector<std::int64_t>> rows(classes);
  for (std::size_t i = 0; i < class_of.size(); ++i) {
    rows[static_cast<std::size_t>(class_of[i])].push_back(static_cast<std::int64_t>(i));
  }
  Holdout result;
  for (auto& own : rows) {
    const auto kept =
        own.size() < kFew ? std::size_t{0} : static_cast<std::size_t>(share * double(own.size()));
    rng.shuffle(std::span(own));
    result.held_out.insert(result.held_out.end(), own.begin(),
                           own.begin() + static_cast<std::ptrdiff_t>(kept));
    result.training.insert(result.training.end(), own.begin() + static_cast<std::ptrdiff_t>(kept),
                           own.end());
  }
  std::sort(result.training.begin(), result.training.end());
  std::sort(result.held_out.begin(), result.held_out.end());
  return result;
}

std::vector<double> class_shares(std::span<const std::int64_t> class_of,
                                 std::span<const std::int64_t> rows, std::size_t classes) {
  std::vector<std::size_t> counts(classes, 0);
  for (const auto row : rows) {
    ++counts[static_cast<std::size_t>(class_of[static_cast<std::size_t>(row)])];
  }
  std::vector<double> shares;
  for (const auto count : counts) {
    shares.push_back(static_cast<double>(count) / static_cast<double>(rows.size()));
  }
  return shares;
}

}  // namespace nw::adapt
