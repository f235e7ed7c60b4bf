// Every parser of nw as a function of raw bytes, for fuzzers and for the corpus test.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string_view>

namespace nw::fuzz {

/// Parses `bytes`. Returns whether they were accepted; an IoError means no. Anything else that
/// comes out (another exception, a result that breaks its own contract) is a bug and is thrown on.
bool feed_csv(std::span<const std::byte> bytes);
bool feed_npy(std::span<const std::byte> bytes);
bool feed_npz(std::span<const std::byte> bytes);
bool feed_idx(std::span<const std::byte> bytes);
bool feed_gzip(std::span<const std::byte> bytes);
bool feed_png(std::span<const std::byte> bytes);
bool feed_jpeg(std::span<const std::byte> bytes);
bool feed_sheet(std::span<const std::byte> bytes);
bool feed_labels(std::span<const std::byte> bytes);
bool feed_record(std::span<const std::byte> bytes);
bool feed_safetensors(std::span<const std::byte> bytes);
bool feed_json(std::span<const std::byte> bytes);
bool feed_arff(std::span<const std::byte> bytes);
bool feed_parquet(std::span<const std::byte> bytes);
bool feed_arrow(std::span<const std::byte> bytes);
/// The parts of a workbook: sheet, shared strings and styles with zeros between.
bool feed_xlsx(std::span<const std::byte> bytes);
/// Text with delimiters, all the way to points: columns get their kinds, scales and coordinates.
bool feed_table(std::span<const std::byte> bytes);
/// A ZIP file, or any file that says itself what it is.
bool feed_container(std::span<const std::byte> bytes);

struct Parser {
  std::string_view name;  ///< of its target and its folder in corpus/
  bool (*feed)(std::span<const std::byte>);
};

inline constexpr std::array<Parser, 18> kParsers = {{{"csv", feed_csv},
                                                     {"npy", feed_npy},
                                                     {"npz", feed_npz},
                                                     {"idx", feed_idx},
                                                     {"gzip", feed_gzip},
                                                     {"png", feed_png},
                                                     {"jpeg", feed_jpeg},
                                                     {"sheet", feed_sheet},
                                                     {"labels", feed_labels},
                                                     {"record", feed_record},
                                                     {"safetensors", feed_safetensors},
                                                     {"json", feed_json},
                                                     {"arff", feed_arff},
                                                     {"parquet", feed_parquet},
                                                     {"arrow", feed_arrow},
                                                     {"xlsx", feed_xlsx},
                                                     {"table", feed_table},
                                                     {"container", feed_container}}};

}  // namespace nw::fuzz
