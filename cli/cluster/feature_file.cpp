#include "cli/cluster/feature_file.hpp"

#include "nw/base/error.hpp"
#include "nw/io/safetensors.hpp"

namespace nw::cli {
namespace {

io::TensorView view(const char* name, const Matrix& matrix) {
  return io::view_tensor<double>(name, matrix.values(), {matrix.rows(), matrix.cols()});
}

class Reader {
 public:
  explicit Reader(const std::filesystem::path& file)
      : name_(file.string()), content_(io::read_safetensors(file)) {}

  [[nodiscard]] std::vector<double> vector(const char* name) const {
    return tensor(name, 1).to_doubles();
  }
  [[nodiscard]] Matrix matrix(const char* name) const {
    const auto& found = tensor(name, 2);
    return {found.to_doubles(), static_cast<std::size_t>(found.shape[0]),
            static_cast<std::size_t>(found.shape[1])};
  }

 private:
  const io::Tensor& tensor(const char* name, std::size_t dimensions) const {
    const io::Tensor* found = content_.find(name);
    if (found == nullptr || found->shape.size() != dimensions) {
      throw IoError(concat(name_, ": holds no diffusion map: ", name, " is missing or misshapen"));
    }
    return *found;
  }

  std::string name_;
  io::TensorFile content_;
};

}  // namespace

std::filesystem::path feature_file(const std::filesystem::path& run) {
  return run / "features.safetensors";
}

void write_features(const std::filesystem::path& file, const cluster::DiffusionMap& map) {
  const io::TensorView tensors[] = {
      io::view_tensor<double>("mean", map.axes.mean),
      view("axes", map.axes.axes),
      view("reference", map.reference),
      io::view_tensor<double>("scale", map.scale),
      view("coordinates", map.coordinates),
      io::view_tensor<double>("eigenvalues", map.eigenvalues),
  };
  io::write_safetensors(file, tensors);
}

cluster::DiffusionMap read_features(const std::filesystem::path& file) {
  const Reader reader(file);
  cluster::DiffusionMap map{.axes = {.mean = reader.vector("mean"), .axes = reader.matrix("axes")},
                            .reference = reader.matrix("reference"),
                            .scale = reader.vector("scale"),
                            .coordinates = reader.matrix("coordinates"),
                            .eigenvalues = reader.vector("eigenvalues"),
                            .bimodality = {}};
  const std::size_t n = map.reference.rows();
  const auto& [mean, axes] = map.axes;
  const bool fits =
      n > 0 && map.scale.size() == n && map.coordinates.rows() == n &&
      (axes.rows() == 0 ? map.reference.cols() == mean.size()
                        : axes.rows() == map.reference.cols() && axes.cols() == mean.size());
  if (!fits) throw IoError(concat(file.string(), ": the parts of the diffusion map do not fit"));
  return map;
}

}  // namespace nw::cli
