#include "nw/app/generation/sample_file.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "nw/base/error.hpp"
#include "nw/io/atomic_file.hpp"
#include "nw/io/image_sheet.hpp"
#include "nw/io/write.hpp"

namespace nw::app {
namespace {

std::string suffix_of(const std::string& file) {
  return std::filesystem::path(file).extension().string();
}

void write_table(const std::string& file, MatrixView rows, const SampleDescription& about) {
  Matrix table(rows.rows(), rows.cols() + 1);
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    std::copy(rows.row(i).begin(), rows.row(i).end(), table.row(i).begin());
    table(i, rows.cols()) = about.component_of[i] + 1.0;
  }
  io::CsvOptions options;
  for (std::size_t c = 0; c < rows.cols(); ++c) {
    options.column_names.push_back(about.column_names.empty() ? concat("x", c + 1)
                                                              : about.column_names[c]);
  }
  options.column_names.push_back("component");
  io::write_csv(file, table, options);
}

}  // namespace

void require_sample_format(const std::string& file, bool images) {
  const std::string suffix = suffix_of(file);
  require(suffix != ".png" || images, file, ": only images can go into a PNG");
  require(suffix == ".png" || suffix == ".csv" || suffix == ".npy" || file == "/dev/null", file,
          ": the suffix must be .csv, .npy or, for images, .png");
}

void write_sample(const std::string& file, MatrixView rows, const SampleDescription& about) {
  const std::string suffix = suffix_of(file);
  if (suffix == ".npy") {
    io::write_npy(file, rows);
  } else if (suffix == ".png" && about.image) {
    const auto columns =
        static_cast<std::size_t>(std::ceil(std::sqrt(static_cast<double>(rows.rows()))));
    io::write_file_atomically(file, io::image_sheet(rows, *about.image, columns));
  } else {
    write_table(file, rows, about);
  }
}

}  // namespace nw::app
