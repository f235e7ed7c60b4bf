// Generated rows as a file.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "nw/base/matrix_view.hpp"
#include "nw/io/points.hpp"

namespace nw::app {

/// What goes into the file besides the rows.
struct SampleDescription {
  std::vector<std::uint32_t> component_of = {};  ///< of each row
  std::vector<std::string> column_names = {};    ///< empty: x1, x2, ...
  std::optional<io::ImageShape> image = {};      ///< when rows are images
};

/// Throws InvalidArgument unless rows of this kind can go to `file`: CSV and NPY take all, PNG
/// takes images.
void require_sample_format(const std::string& file, bool images);

/// CSV has the component of each row as last column; NPY holds the rows alone; PNG is a sheet of
/// tiles, as square as it can be. Throws IoError.
void write_sample(const std::string& file, MatrixView rows, const SampleDescription& about);

}  // namespace nw::app
