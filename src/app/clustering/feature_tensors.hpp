// Models of clusters as tensors with names, and the diffusion map among them.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "nw/cluster/diffusion_map.hpp"
#include "nw/io/safetensors_bytes.hpp"

namespace nw::app {

/// Tensors by name; what is missing or of another shape throws IoError that starts with the source.
class TensorReader {
 public:
  TensorReader(const io::TensorFile& content, std::string source)
      : content_(content), source_(std::move(source)) {}

  [[nodiscard]] bool has(const std::string& name) const { return content_.find(name) != nullptr; }
  [[nodiscard]] std::vector<double> vector(const std::string& name) const;
  [[nodiscard]] Matrix matrix(const std::string& name) const;
  [[nodiscard]] const std::string& source() const noexcept { return source_; }

 private:
  [[nodiscard]] const io::Tensor& tensor(const std::string& name, std::size_t dimensions) const;

  const io::TensorFile& content_;
  std::string source_;
};

/// The map must outlive the views.
void add_feature_tensors(const cluster::DiffusionMap& map, std::vector<io::TensorView>& tensors);

/// Nothing where the model has no map.
[[nodiscard]] std::optional<cluster::DiffusionMap> read_feature_tensors(const TensorReader& reader);

}  // namespace nw::app
