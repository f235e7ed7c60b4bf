// Private: one reader per format of tables, each from bytes to columns as the file holds them.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "nw/io/load_input.hpp"
#include "nw/io/points.hpp"
#include "nw/io/raw_table.hpp"

#include "io/byte_source.hpp"
#include "io/byte_stream.hpp"
#include "io/formats/locate.hpp"

namespace nw::io {

/// Whether files of that format hold columns with a kind each, rather than arrays or images.
[[nodiscard]] bool is_table_format(Format format);

/// The table in `source`, by the reader of its format, which must be one of tables.
[[nodiscard]] RawTable read_table(const ByteSource& source, const Located& located,
                                  const LoadOptions& options);
/// The same in blocks, where the format has some. `source` must outlive the result.
[[nodiscard]] std::unique_ptr<TableBlocks> open_table(const ByteSource& source,
                                                      const Located& located,
                                                      const LoadOptions& options);

/// An array of objects or of arrays, or objects one after the other (JSON lines).
[[nodiscard]] RawTable read_raw_json(ByteStream& stream, const LoadOptions& options);
[[nodiscard]] RawTable read_raw_arff(ByteStream& stream, const LoadOptions& options);
/// `source` must outlive the result.
[[nodiscard]] std::unique_ptr<TableBlocks> open_raw_parquet(const ByteSource& source,
                                                            const LoadOptions& options);
/// Arrow's IPC file (Feather version 2) and stream.
[[nodiscard]] RawTable read_raw_arrow(const ByteSource& source, const LoadOptions& options);
/// The first sheet of a workbook.
[[nodiscard]] RawTable read_raw_xlsx(const ByteSource& source, const LoadOptions& options);

/// Everything that `stream` still holds. Throws IoError when that is more than `limit` bytes.
[[nodiscard]] std::string read_rest(ByteStream& stream, std::uint64_t limit);

/// Throws IoError when a table of that shape would take more than options.max_unpacked_bytes in
/// memory, at eight bytes a cell: what a file claims costs nothing to write.
void require_table_fits(std::uint64_t rows, std::uint64_t columns, const LoadOptions& options,
                        const std::string& file);

}  // namespace nw::io
