#include "io/parquet/metadata.hpp"

#include <utility>

#include "io/failure.hpp"
#include "io/parquet/thrift.hpp"

namespace nw::io::parquet {
namespace {

using Field = ThriftReader::Field;

struct SchemaElement {
  std::optional<int> type, converted;
  std::optional<Meaning> logical;
  std::int32_t width = 0, repetition = 0, children = 0, scale = 0;
  double unit = 1.0;
  std::string name;
};

/// Reads `TimeUnit`: a union of empty structs.
double read_unit(ThriftReader& in) {
  double unit = 1e-3;
  in.structure([&](const Field& field) {
    unit = field.id == 1 ? 1e-3 : field.id == 2 ? 1e-6 : 1e-9;
    return false;
  });
  return unit;
}

/// Reads `LogicalType`: a union of structs.
void read_logical(ThriftReader& in, SchemaElement& element) {
  in.structure([&](const Field& field) {
    switch (field.id) {
      case 1:   // STRING
      case 4:   // ENUM
      case 12:  // JSON
        element.logical = Meaning::text;
        return false;
      case 5:  // DECIMAL
        element.logical = Meaning::decimal;
        in.structure([&](const Field& part) {
          if (part.id != 1) return false;
          element.scale = in.integer32();
          return true;
        });
        return true;
      case 6:
        element.logical = Meaning::date;
        return false;
      case 7:  // TIME
      case 8:  // TIMESTAMP
        element.logical = field.id == 7 ? Meaning::duration : Meaning::timestamp;
        in.structure([&](const Field& part) {
          if (part.id != 2) return false;
          element.unit = read_unit(in);
          return true;
        });
        return true;
      case 10:  // INTEGER
        element.logical = Meaning::number;
        in.structure([&](const Field& part) {
          if (part.id == 2 && !ThriftReader::boolean(part)) {
            element.logical = Meaning::unsigned_number;
          }
          return false;
        });
        return true;
      case 14:
        element.logical = Meaning::uuid;
        return false;
      case 15:
        element.logical = Meaning::half;
        return false;
      default:
        return false;
    }
  });
}

SchemaElement read_element(ThriftReader& in) {
  SchemaElement element;
  in.structure([&](const Field& field) {
    switch (field.id) {
      case 1:
        element.type = in.integer32();
        return true;
      case 2:
        element.width = in.integer32();
        return true;
      case 3:
        element.repetition = in.integer32();
        return true;
      case 4:
        element.name = std::string(in.binary());
        return true;
      case 5:
        element.children = in.integer32();
        return true;
      case 6:
        element.converted = in.integer32();
        return true;
      case 7:
        element.scale = in.integer32();
        return true;
      case 10:
        read_logical(in, element);
        return true;
      default:
        return false;
    }
  });
  return element;
}

/// ConvertedType, which files before 2018 have instead of LogicalType.
void read_converted(int converted, Leaf& leaf) {
  switch (converted) {
    case 0:   // UTF8
    case 4:   // ENUM
    case 19:  // JSON
      leaf.meaning = Meaning::text;
      break;
    case 5:
      leaf.meaning = Meaning::decimal;
      break;
    case 6:
      leaf.meaning = Meaning::date;
      break;
    case 7:  // TIME_MILLIS
    case 8:  // TIME_MICROS
      leaf.meaning = Meaning::duration;
      leaf.unit = converted == 7 ? 1e-3 : 1e-6;
      break;
    case 9:   // TIMESTAMP_MILLIS
    case 10:  // TIMESTAMP_MICROS
      leaf.meaning = Meaning::timestamp;
      leaf.unit = converted == 9 ? 1e-3 : 1e-6;
      break;
    case 11:
    case 12:
    case 13:
    case 14:  // UINT_8 .. UINT_64
      leaf.meaning = Meaning::unsigned_number;
      break;
    case 21:  // INTERVAL
      leaf.meaning = Meaning::other;
      break;
    default:
      break;
  }
}

/// Whether values of that storage can carry that meaning; what a file claims beyond is not read.
bool fits(const Leaf& leaf) {
  const bool integer = leaf.physical == Physical::int32 || leaf.physical == Physical::int64;
  const bool bytes = leaf.physical == Physical::byte_array || leaf.physical == Physical::fixed;
  switch (leaf.meaning) {
    case Meaning::number:
      return integer || leaf.physical == Physical::float32 || leaf.physical == Physical::float64;
    case Meaning::unsigned_number:
    case Meaning::date:
    case Meaning::duration:
      return integer;
    case Meaning::timestamp:
      return integer || leaf.physical == Physical::int96;
    case Meaning::boolean:
      return leaf.physical == Physical::boolean;
    case Meaning::half:
      return leaf.physical == Physical::fixed && leaf.width == 2;
    case Meaning::decimal:
      return (integer || bytes) && leaf.scale >= 0 && leaf.scale <= 80;
    case Meaning::uuid:
      return leaf.physical == Physical::fixed && leaf.width == 16;
    case Meaning::text:
      return bytes;
    case Meaning::other:
      return true;
  }
  return false;
}

Leaf read_leaf(const SchemaElement& element, const std::string& file) {
  Leaf leaf;
  const int type = element.type.value_or(-1);
  if (type < 0 || type > static_cast<int>(Physical::fixed)) {
    fail(file, "damaged Parquet metadata: column ", shown(element.name), " has the unknown type ",
         type);
  }
  leaf.physical = static_cast<Physical>(type);
  if (leaf.physical == Physical::fixed) {
    if (element.width <= 0 || element.width > (1 << 20)) {
      fail(file, "damaged Parquet metadata: column ", shown(element.name), " has values of ",
           element.width, " bytes");
    }
    leaf.width = static_cast<std::size_t>(element.width);
  }
  const bool bytes = leaf.physical == Physical::byte_array || leaf.physical == Physical::fixed;
  leaf.meaning = leaf.physical == Physical::boolean ? Meaning::boolean
                 : leaf.physical == Physical::int96 ? Meaning::timestamp
                 : bytes                            ? Meaning::text
                                                    : Meaning::number;
  leaf.scale = element.scale;
  if (element.converted) read_converted(*element.converted, leaf);
  if (element.logical) {
    leaf.meaning = *element.logical;
    leaf.unit = element.unit;
  }
  if (!fits(leaf)) leaf.meaning = Meaning::other;
  return leaf;
}

/// The tree in depth-first order becomes its leaves.
class SchemaWalk {
 public:
  SchemaWalk(const std::vector<SchemaElement>& elements, const std::string& file)
      : elements_(elements), file_(file) {}

  std::vector<Leaf> leaves() {
    if (elements_.empty()) refuse("there is no schema");
    const std::int32_t columns = elements_[next_++].children;
    for (std::int32_t i = 0; i < columns; ++i) walk({}, 0);
    return std::move(leaves_);
  }

 private:
  struct Place {
    std::string prefix;
    unsigned definition = 0;
    bool repeated = false;
  };

  [[noreturn]] void refuse(const char* what) const {
    fail(file_, "damaged Parquet metadata: ", what);
  }

  void walk(const Place& parent, int depth) {
    if (next_ >= elements_.size()) refuse("the schema ends too early");
    if (depth > 32) refuse("the schema is nested too deeply");
    if (parent.prefix.size() > 4096) refuse("a column with a name of more than 4096 bytes");
    const SchemaElement& element = elements_[next_++];
    enum { required, optional, repeated };
    const Place here{.prefix = parent.prefix + element.name,
                     .definition = parent.definition + (element.repetition != required ? 1u : 0u),
                     .repeated = parent.repeated || element.repetition == repeated};
    if (element.children == 0 && element.type) {
      Leaf leaf = read_leaf(element, file_);
      leaf.name = here.prefix;
      leaf.max_definition = here.definition;
      leaf.repeated = here.repeated;
      leaves_.push_back(std::move(leaf));
      return;
    }
    for (std::int32_t i = 0; i < element.children; ++i) {
      walk({here.prefix + ".", here.definition, here.repeated}, depth + 1);
    }
  }

  const std::vector<SchemaElement>& elements_;
  const std::string& file_;
  std::size_t next_ = 0;
  std::vector<Leaf> leaves_;
};

void read_column_metadata(ThriftReader& in, Chunk& chunk) {
  std::int64_t data = 0;
  std::optional<std::int64_t> dictionary;
  in.structure([&](const Field& field) {
    switch (field.id) {
      case 4: {
        const std::int32_t codec = in.integer32();
        if (codec < 0 || codec > static_cast<int>(Codec::lz4_raw)) {
          in.refuse(concat("the unknown compression ", codec));
        }
        chunk.codec = static_cast<Codec>(codec);
        return true;
      }
      case 5:
        chunk.values = in.integer();
        return true;
      case 7:
        chunk.bytes = in.integer();
        return true;
      case 9:
        data = in.integer();
        return true;
      case 11:
        dictionary = in.integer();
        return true;
      default:
        return false;
    }
  });
  // Some writers give a dictionary offset of 0 for "none".
  chunk.begin = dictionary && *dictionary > 0 && *dictionary < data ? *dictionary : data;
}

Chunk read_chunk(ThriftReader& in) {
  Chunk chunk;
  bool there = false;
  in.structure([&](const Field& field) {
    if (field.id == 1) chunk.elsewhere = true;  // file_path
    if (field.id == 8) chunk.encrypted = true;  // crypto_metadata
    if (field.id != 3) return false;
    there = true;
    read_column_metadata(in, chunk);
    return true;
  });
  if (!there && !chunk.encrypted) in.refuse("a column without its place");
  return chunk;
}

RowGroup read_group(ThriftReader& in) {
  RowGroup group;
  in.structure([&](const Field& field) {
    if (field.id == 1) {
      in.structures([&] { group.chunks.push_back(read_chunk(in)); });
      return true;
    }
    if (field.id == 3) {
      group.rows = in.integer();
      return true;
    }
    return false;
  });
  return group;
}

std::size_t size_from(ThriftReader& in) {
  const std::int32_t size = in.integer32();
  if (size < 0) in.refuse("a negative size");
  return static_cast<std::size_t>(size);
}

Encoding encoding_from(ThriftReader& in) {
  const std::int32_t encoding = in.integer32();
  if (encoding < 0 || encoding > static_cast<int>(Encoding::byte_stream_split)) {
    in.refuse(concat("the unknown encoding ", encoding));
  }
  return static_cast<Encoding>(encoding);
}

/// DataPageHeader, DataPageHeaderV2 and DictionaryPageHeader begin alike but for version 2.
void read_page_details(ThriftReader& in, PageHeader& header) {
  const bool second = header.kind == PageHeader::Kind::data_v2;
  in.structure([&](const Field& field) {
    if (field.id == 1) {
      header.values = size_from(in);
    } else if (field.id == (second ? 4 : 2)) {
      header.encoding = encoding_from(in);
    } else if (!second && field.id == 3 && header.kind == PageHeader::Kind::data) {
      header.level_encoding = encoding_from(in);
    } else if (second && field.id == 5) {
      header.definition_bytes = size_from(in);
    } else if (second && field.id == 6) {
      header.repetition_bytes = size_from(in);
    } else if (second && field.id == 7) {
      header.packed = ThriftReader::boolean(field);
      return true;
    } else {
      return false;
    }
    return true;
  });
}

}  // namespace

FileMetadata read_metadata(std::string_view bytes, const std::string& file) {
  ThriftReader in(bytes, file);
  FileMetadata metadata;
  std::vector<SchemaElement> schema;
  in.structure([&](const Field& field) {
    switch (field.id) {
      case 2:
        in.structures([&] { schema.push_back(read_element(in)); });
        return true;
      case 3:
        metadata.rows = in.integer();
        return true;
      case 4:
        in.structures([&] { metadata.groups.push_back(read_group(in)); });
        return true;
      default:
        return false;
    }
  });
  metadata.leaves = SchemaWalk(schema, file).leaves();
  std::int64_t rows = 0;
  for (const RowGroup& group : metadata.groups) {
    if (group.rows < 0 || group.rows > metadata.rows - rows) {
      in.refuse("the row groups do not add up to the rows");
    }
    rows += group.rows;
    if (group.chunks.size() != metadata.leaves.size()) {
      in.refuse("a row group has another number of columns than the schema");
    }
  }
  if (rows != metadata.rows) in.refuse("the row groups do not add up to the rows");
  return metadata;
}

PlacedHeader read_page_header(std::string_view bytes, const std::string& file) {
  ThriftReader in(bytes, file);
  PlacedHeader placed;
  PageHeader& header = placed.header;
  in.structure([&](const Field& field) {
    switch (field.id) {
      case 1: {
        const std::int32_t kind = in.integer32();
        if (kind < 0 || kind > 3) in.refuse(concat("a page of the unknown kind ", kind));
        header.kind = static_cast<PageHeader::Kind>(kind);
        return true;
      }
      case 2:
        header.bytes = size_from(in);
        return true;
      case 3:
        header.packed_bytes = size_from(in);
        return true;
      case 5:  // data_page_header
      case 7:  // dictionary_page_header
      case 8:  // data_page_header_v2
        read_page_details(in, header);
        return true;
      default:
        return false;
    }
  });
  placed.bytes = in.position();
  return placed;
}

}  // namespace nw::io::parquet
