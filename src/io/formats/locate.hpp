// Private: what an input is and where its data lie: in the file itself, gzipped, or in the one file
// of a ZIP archive.
#pragma once

#include <memory>
#include <optional>

#include "nw/io/points.hpp"

#include "io/byte_source.hpp"
#include "io/byte_stream.hpp"
#include "io/zip.hpp"

namespace nw::io {

struct Located {
  Format format = Format::csv;    ///< never automatic
  std::optional<ZipEntry> entry;  ///< where a ZIP archive packs the data; NPZ and XLSX do not

  /// The name whose suffix counts: the file's, or that of the packed one.
  [[nodiscard]] std::string plain_name_in(const ByteSource& source) const;
};

/// Recognises the input, unless options.format says what it is. Throws IoError with a remedy for
/// what nw knows but does not read, and for archives of several files.
[[nodiscard]] Located locate(const ByteSource& source, const LoadOptions& options);

/// The data, unpacked. `source` must outlive the stream.
[[nodiscard]] std::unique_ptr<ByteStream> open_located(const ByteSource& source,
                                                       const Located& located);

}  // namespace nw::io
