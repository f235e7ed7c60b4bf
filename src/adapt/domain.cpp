#include "nw/adapt/domain.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <set>

#include <ATen/Parallel.h>

#include "nw/base/error.hpp"
#include "nw/bridge/tensor_matrix.hpp"

namespace nw::adapt {
namespace {

using torch::Tensor;

std::string size_text(const io::ImageShape& shape) {
  return concat(shape.height, " x ", shape.width, " pixels");
}

/// The smaller of two sides. Cropping a quarter away still leaves what an image shows.
std::int64_t common_side(std::size_t a, std::size_t b, const io::PointSet& source,
                         const io::PointSet& target) {
  const auto [small, large] = std::minmax(a, b);
  if (4 * (large - small) > small) {
    throw IoError(concat(source.source, " has images of ", size_text(*source.image), ", ",
                         target.source, " of ", size_text(*target.image),
                         ": more than a quarter apart, bring them to one size first"));
  }
  return static_cast<std::int64_t>(small);
}

/// Windows of images [n, c, h, w] of bytes, one per index, as numbers in [-1, 1]. Beyond its border
/// an image goes on as its last row or column.
Tensor cut(const Tensor& images, const Tensor& indices, const Tensor& top, const Tensor& left,
           const nn::ImageSize& size) {
  const std::int64_t rows = indices.size(0), channels = images.size(1);
  const auto whole = indices.options();
  const auto along = [&](const Tensor& first, std::int64_t side, std::int64_t limit) {
    return (first.unsqueeze(1) + torch::arange(side, whole).unsqueeze(0)).clamp(0, limit - 1);
  };
  const auto y = along(top, size.height, images.size(2)).view({rows, 1, size.height, 1});
  const auto x = along(left, size.width, images.size(3)).view({rows, 1, 1, size.width});
  const auto channel = torch::arange(channels, whole).view({1, channels, 1, 1});
  return at::index(images, {indices.view({rows, 1, 1, 1}), channel, y, x})
      .to(torch::kFloat32)
      .mul_(1.0 / 127.5)
      .sub_(1.0);
}

/// The same by plain loops: indexing by tensors takes several times as long.
Tensor cut_on_cpu(const Tensor& images, const Tensor& indices, const Tensor& top,
                  const Tensor& left, const nn::ImageSize& size) {
  const std::int64_t rows = indices.size(0), channels = images.size(1);
  const std::int64_t height = images.size(2), width = images.size(3);
  auto result = torch::empty({rows, channels, size.height, size.width});
  const auto* bytes = images.data_ptr<std::uint8_t>();
  const auto* index = indices.data_ptr<std::int64_t>();
  const auto *first_y = top.data_ptr<std::int64_t>(), *first_x = left.data_ptr<std::int64_t>();
  float* values = result.data_ptr<float>();
  at::parallel_for(0, rows, /*grain_size=*/16, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      const bool inside = first_x[i] >= 0 && first_x[i] + size.width <= width;
      for (std::int64_t c = 0; c < channels; ++c) {
        for (std::int64_t y = 0; y < size.height; ++y) {
          const std::int64_t from = std::clamp<std::int64_t>(first_y[i] + y, 0, height - 1);
          const auto* line = bytes + ((index[i] * channels + c) * height + from) * width;
          float* to = values + ((i * channels + c) * size.height + y) * size.width;
          for (std::int64_t x = 0; x < size.width; ++x) {
            const std::int64_t place = first_x[i] + x;
            to[x] = static_cast<float>(
                        line[inside ? place : std::clamp<std::int64_t>(place, 0, width - 1)]) *
                        static_cast<float>(1.0 / 127.5) -
                    1.0F;
          }
        }
      }
    }
  });
  return result;
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
    form.image = {common_side(s.height, t.height, source, target),
                  common_side(s.width, t.width, source, target),
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

Tensor DomainRows::take(const Tensor& indices, train::Draws* draws, std::int64_t shift) const {
  if (!form_.is_image()) return values_.index_select(0, indices);
  const std::int64_t rows = indices.size(0);
  const std::int64_t slack_y = values_.size(2) - form_.image.height;
  const std::int64_t slack_x = values_.size(3) - form_.image.width;
  const auto whole = torch::TensorOptions().dtype(torch::kInt64).device(indices.device());
  const bool random = draws != nullptr && (slack_y > 0 || slack_x > 0 || shift > 0);
  const auto places = [&](std::int64_t slack) {
    if (!random) return torch::full({rows}, slack / 2, whole);
    const auto steps = static_cast<double>(slack + 2 * shift + 1);
    return (draws->uniform({rows}) * steps).floor().to(torch::kInt64) - shift;
  };
  const auto top = places(slack_y), left = places(slack_x);
  return values_.is_cpu() ? cut_on_cpu(values_, indices, top, left, form_.image)
                          : cut(values_, indices, top, left, form_.image);
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
  if (height < form.image.height || width < form.image.width ||
      (channels != 1 && channels != form.image.channels)) {
    throw IoError(concat(points.source, " has images of ", size_text(*points.image), " and ",
                         channels, " channels, expected at least ", form.image.height, " x ",
                         form.image.width, " and 1 or ", form.image.channels));
  }
  auto bytes = torch::empty({n, height, width, channels}, torch::kUInt8);
  const auto values = points.values.values();
  std::transform(values.begin(), values.end(), bytes.data_ptr<std::uint8_t>(), [](double value) {
    return static_cast<std::uint8_t>(std::lround(std::clamp(value, 0.0, 1.0) * 255.0));
  });
  return {bytes.permute({0, 3, 1, 2}).contiguous(), form};
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

}  // namespace nw::adapt
