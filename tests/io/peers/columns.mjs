// The columns that every peer writes: what they hold, and what nw must find in them. Everything is a
// function of the row, so that no file of expected values has to be kept.
export const kRows = 1000

// A small generator of the same numbers on every machine.
function* numbers(seed) {
  let state = BigInt(seed)
  for (;;) {
    state = (state * 6364136223846793005n + 1442695040888963407n) & 0xffffffffffffffffn
    yield state >> 11n
  }
}

function column(seed, make, missing = 0) {
  const random = numbers(seed)
  const values = []
  for (let i = 0; i < kRows; ++i) {
    const bits = random.next().value
    const lost = Number(random.next().value % 100n) < missing
    values.push(lost ? null : make(bits, i))
  }
  return values
}

const signed = (bits, width) => BigInt.asIntN(width, bits * 0x9e3779b97f4a7c15n)
const words = ['red', 'green', 'blue', 'grün', '', '緑', 'a longer text, with a comma', 'NA']

export const columns = {
  flag: column(1, bits => (bits & 1n) === 1n, 10),
  always: column(2, bits => (bits & 3n) !== 1n),
  int8: column(3, bits => Number(signed(bits, 8))),
  int16: column(4, bits => Number(signed(bits, 16)), 20),
  int32: column(5, bits => Number(signed(bits, 32)), 5),
  int64: column(6, bits => signed(bits, 50), 5),
  id64: column(7, bits => signed(bits, 64)),
  uint8: column(8, bits => Number(BigInt.asUintN(8, bits))),
  uint32: column(9, bits => Number(BigInt.asUintN(32, bits * 0x9e3779b97f4a7c15n)), 10),
  uint64: column(10, bits => BigInt.asUintN(64, bits * 0x9e3779b97f4a7c15n)),
  step: column(11, (bits, i) => i * 3 - 700),
  float: column(12, bits => Math.fround(Number(signed(bits, 40)) / 1024), 10),
  double: column(13, bits => Number(signed(bits, 53)) / 3e7, 30),
  few: column(14, bits => Number(bits % 7n) / 4),
  all_missing: column(15, () => 0.5, 101),
  word: column(16, bits => words[Number(bits % 8n)], 15),
  text: column(17, (bits, i) => `row ${String(i).padStart(4, '0')} ${bits % 1000n}`),
  date: column(18, bits => Number(bits % 30000n) - 5000, 5), // days
  second: column(19, bits => Number(bits % 4000000000n), 5), // since 1970
}

export const seconds = {
  date: value => value * 86400,
  second: value => value,
}
