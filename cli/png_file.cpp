#include "cli/png_file.hpp"

#include <fstream>
#include <iterator>

#include "nw/base/error.hpp"

#include "base/subprocess.hpp"
#include "base/temporary_folder.hpp"
#include "cli/output_file.hpp"

namespace nw::cli {
namespace {

constexpr const char* kConverter = "rsvg-convert";

}  // namespace

void require_png() {
  try {
    if (run_process({kConverter, "--version"}).exit_code == 0) return;
  } catch (const IoError&) {
    // Not on the PATH: said below, with a way out.
  }
  throw IoError(
      "--png needs the program rsvg-convert (on Debian: apt-get install librsvg2-bin); --svg "
      "writes "
      "the same picture without it");
}

void write_png(const std::string& path, const std::string& svg) {
  const TemporaryFolder folder;
  const auto drawing = folder.path() / "picture.svg", picture = folder.path() / "picture.png";
  write_text(drawing, svg);
  const ProcessResult done = run_process({kConverter, "--zoom", "2", "--background-color", "white",
                                          "--output", picture.string(), drawing.string()});
  std::ifstream file(picture, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  if (done.exit_code != 0 || bytes.empty()) {
    throw IoError(concat(path, ": ", kConverter, " could not draw the picture"));
  }
  write_text(path, bytes);
}

}  // namespace nw::cli
