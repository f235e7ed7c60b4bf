// A trained generator, ready to draw rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "nw/base/matrix_view.hpp"
#include "nw/io/points.hpp"

namespace nw::app {

/// Rows in the space of the data, and the component that made each.
struct GeneratedRows {
  Matrix rows;
  std::vector<std::uint32_t> component_of;
};

struct SampleOptions {
  std::uint64_t seed = 0;
  std::size_t data_set = 0;  ///< of a model of two: whose proportions
  int threads = 0;           ///< 0: all cores
};

class GenerationModel {
 public:
  virtual ~GenerationModel() = default;

  /// `count` independent rows. Throws InvalidArgument for a data set that the model does not have
  /// and a count that is not positive.
  [[nodiscard]] virtual GeneratedRows sample(std::int64_t count,
                                             const SampleOptions& options = {}) const = 0;
  /// The proportions of each data set.
  [[nodiscard]] virtual const std::vector<std::vector<double>>& pi() const = 0;
  [[nodiscard]] virtual std::size_t dimension() const = 0;
  /// Of its rows, where they are images.
  [[nodiscard]] virtual std::optional<io::ImageShape> image() const = 0;
  /// Generator steps it was trained for.
  [[nodiscard]] virtual std::int64_t step() const = 0;
  /// A safetensors file in memory.
  [[nodiscard]] virtual std::string to_bytes() const = 0;
};

/// Throws IoError that starts with `source`.
[[nodiscard]] std::shared_ptr<const GenerationModel> generation_model_from_bytes(
    const std::string& bytes, const std::string& source = "model");

/// The model of a run's newest checkpoint, whether the run is finished or not. Throws IoError.
[[nodiscard]] std::shared_ptr<const GenerationModel> load_generation_model(
    const std::filesystem::path& run);

}  // namespace nw::app
