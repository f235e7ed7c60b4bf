#include "io/table_test_support.hpp"

#include <set>

namespace nw::io::test {

void expect_consistent(const RawTable& table) {
  for (const RawColumn& column : table.columns) {
    std::size_t missing = 0;
    if (column.kind == CellKind::text) {
      ASSERT_EQ(column.codes.size(), table.rows) << column.name;
      for (const std::uint32_t code : column.codes) {
        missing += code == RawColumn::kMissing;
        ASSERT_TRUE(code == RawColumn::kMissing || code < column.levels.size()) << column.name;
      }
      const std::set<std::string> distinct(column.levels.begin(), column.levels.end());
      EXPECT_EQ(distinct.size(), column.levels.size()) << column.name;
    } else {
      ASSERT_EQ(column.numbers.size(), table.rows) << column.name;
      for (const double value : column.numbers) missing += std::isnan(value);
    }
    EXPECT_EQ(column.missing, missing) << column.name;
  }
}

}  // namespace nw::io::test
