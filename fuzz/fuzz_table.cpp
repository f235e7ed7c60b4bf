#include <cstdint>

#include "parser_feeds.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  nw::fuzz::feed_table(std::as_bytes(std::span(data, size)));
  return 0;
}
