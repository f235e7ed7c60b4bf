// Private: the messages of an Arrow stream or file, and where their buffers lie (Arrow format,
// Message.fbs and "IPC").
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "nw/io/points.hpp"

#include "io/arrow/schema.hpp"
#include "io/byte_source.hpp"

namespace nw::io::arrow {

enum class Packing { none, lz4, zstd };

/// Rows of all columns: sizes and places, no values.
struct Batch {
  struct Buffer {
    std::uint64_t offset = 0, bytes = 0;  ///< in the file
  };
  std::size_t rows = 0;
  Packing packing = Packing::none;
  std::vector<std::size_t> lengths;  ///< of every field, nested ones too, in depth-first order
  std::vector<Buffer> buffers;
  std::vector<std::size_t> views;  ///< how many more buffers each column of views has
};

struct DictionaryBatch {
  std::int64_t id = 0;
  bool adds = false;  ///< to what the dictionary holds already
  Batch batch;
  std::size_t before = 0;  ///< record batches that came earlier
};

struct Messages {
  std::vector<Field> fields;
  std::vector<Batch> batches;
  std::vector<DictionaryBatch> dictionaries;
  bool is_stream = false;
};

/// Walks over the messages without reading their bodies. Throws IoError.
[[nodiscard]] Messages read_messages(const ByteSource& source, const LoadOptions& options);

}  // namespace nw::io::arrow
