#include "nw/io/image_file.hpp"

#include "nw/base/error.hpp"

#include "io/byte_source.hpp"
#include "io/image.hpp"

namespace nw::io {

PointSet load_image(const std::filesystem::path& path, std::size_t channels) {
  LoadOptions options;
  options.channels = channels;
  options.validate();
  const auto source = open_file(path, options.max_unpacked_bytes);
  const Pixels image = with_channels(decode_image(read_all(*source), source->name()), channels);
  std::vector<double> values;
  append_pixels(image, 0, 0, image.shape, options.pixel_scale, values);
  PointSet points;
  const std::size_t dimension = values.size();
  points.values = Matrix(std::move(values), 1, dimension);
  points.image = image.shape;
  points.source = concat(path.string(), " (image)");
  return points;
}

}  // namespace nw::io
