// Text packed by zlib, for tests and fuzzers of what reads it again.
#pragma once

#include <string>
#include <string_view>

#include <zlib.h>

namespace nw::io::test {

inline std::string gzip(std::string_view text) {
  z_stream state{};
  deflateInit2(&state, 9, Z_DEFLATED, 31, 9, Z_DEFAULT_STRATEGY);
  std::string packed(deflateBound(&state, text.size()) + 32, '\0');
  state.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  state.avail_in = static_cast<uInt>(text.size());
  state.next_out = reinterpret_cast<Bytef*>(packed.data());
  state.avail_out = static_cast<uInt>(packed.size());
  deflate(&state, Z_FINISH);
  packed.resize(state.total_out);
  deflateEnd(&state);
  return packed;
}

}  // namespace nw::io::test
