#include <fstream>
#include <iterator>

#include "nw/base/error.hpp"
#include "nw/io/atomic_file.hpp"
#include "nw/report/png.hpp"

#include "base/subprocess.hpp"
#include "base/temporary_folder.hpp"

namespace nw::report {
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
      "`png` needs the program rsvg-convert (on Debian: apt-get install librsvg2-bin); `svg` "
      "writes the same picture without it");
}

std::string png_of(const std::string& svg) {
  const TemporaryFolder folder;
  const auto drawing = folder.path() / "picture.svg", picture = folder.path() / "picture.png";
  io::write_file_atomically(drawing, svg);
  const ProcessResult done = run_process({kConverter, "--zoom", "2", "--background-color", "white",
                                          "--output", picture.string(), drawing.string()});
  std::ifstream file(picture, std::ios::binary);
  std::string bytes{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  if (done.exit_code != 0 || bytes.empty()) {
    throw IoError(concat(kConverter, " could not draw the picture"));
  }
  return bytes;
}

}  // namespace nw::report
