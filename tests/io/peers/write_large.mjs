// Writes a table of a million rows and ten columns in the usual codecs, for bench/typed_tables.sh:
//   node write_large.mjs FOLDER
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as arrow from 'apache-arrow'
import * as parquet from 'parquet-wasm/node'
import { codecs, write as writePacked } from './packed_arrow.mjs'

const rows = 1000000
let state = 1
const random = () => {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0
  return state / 4294967296
}
const vectors = {}
for (let j = 0; j < 6; ++j) {
  const rounded = j < 3 // measurements have few digits, so dictionaries and codecs find something
  vectors[`x${j}`] = arrow.makeVector(Float64Array.from({ length: rows },
    () => (rounded ? Math.round(random() * 10000) / 100 : random() * 100)))
}
vectors.count = arrow.makeVector(Int32Array.from({ length: rows }, () => Math.floor(random() * 1000)))
vectors.id = arrow.makeVector(BigInt64Array.from({ length: rows }, (_, i) => BigInt(i)))
vectors.at = arrow.makeVector(Float32Array.from({ length: rows }, () => random()))
const words = ['red', 'green', 'blue', 'yellow']
vectors.word = arrow.vectorFromArray(Array.from({ length: rows }, () => words[Math.floor(random() * 4)]), new arrow.Utf8())
const table = new arrow.Table(vectors)
const stream = arrow.tableToIPC(table, 'stream')

for (const codec of ['UNCOMPRESSED', 'SNAPPY', 'GZIP', 'ZSTD']) {
  const properties = new parquet.WriterPropertiesBuilder().setCompression(parquet.Compression[codec]).build()
  writeFileSync(join(process.argv[2], `${codec.toLowerCase()}.parquet`),
    parquet.writeParquet(parquet.Table.fromIPCStream(stream), properties))
}
writeFileSync(join(process.argv[2], 'plain.arrow'), arrow.tableToIPC(table, 'file'))
writeFileSync(join(process.argv[2], 'zstd.arrow'), writePacked(table.batches, codecs.zstd, 'file'))
