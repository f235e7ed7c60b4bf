#include "io/failure.hpp"
#include "io/formats/read_table.hpp"

namespace nw::io {

RawTable read_raw_xlsx(const ByteSource& source, const LoadOptions&) {
  fail(source.name(), "this is an Excel workbook, which nw does not read yet; save it as CSV");
}

}  // namespace nw::io
