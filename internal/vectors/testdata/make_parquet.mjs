// Writes the parquet files beside it with DuckDB and parquetjs.
// npm install @duckdb/node-api @dsnp/parquetjs, then run it in this folder.
import { DuckDBInstance } from '@duckdb/node-api'
import parquet from '@dsnp/parquetjs'

const db = await (await DuckDBInstance.create()).connect()

// value(i, j) = 3i - 2j + 1, as in make_npy.py
const vector = (type) => `list_transform(range(4), lambda j: (3*i - 2*j + 1)::${type})`
const copy = (name, select, options) =>
  db.run(`copy (select ${select} from range(3) t(i) order by i) to '${name}.parquet' (format parquet, ${options})`)

for (const codec of ['zstd', 'snappy', 'gzip', 'uncompressed', 'lz4_raw', 'brotli'])
  await copy('duckdb_' + codec, `
    'd' || i as id,
    case when i < 2 then 'title ' || i end as title,
    'text ö ' || i as text,
    case when i > 0 then list_transform(range(i), lambda k: 'passage ' || k) end as passages,
    case when i > 0 then list_transform(range(i), lambda k: ${vector('float')}) end as passage_vectors,
    '{"year": ' || (2000 + i) || '}' as metadata,
    ${vector('float')} as vector,
    i * 10 as count,
    i / 4 as share,
    i = 1 as flag,
    case when i <> 1 then ['a', null, 'b' || i] end as labels,
    date '2024-02-28' + i::integer as day,
    timestamp '2024-02-28 01:02:03.5' as at,
    {'inner': i, 'name': 'n'} as outer,
    map {'k': i} as deep`, `compression ${codec}`)

await copy('duckdb_double', `i::bigint as _id, ${vector('double')} as embedding`, 'compression zstd')
await copy('duckdb_array', `${vector('float')}::float[4] as vector`, 'compression zstd')
await copy('duckdb_tinyint', `${vector('tinyint')} as vector`, 'compression zstd')
await db.run(`copy (select k as id, [1, k + 1]::float[] as vector from range(9000) u(k) order by k)
  to 'duckdb_groups.parquet' (format parquet, row_group_size 2048)`)

const rows = [0, 1, 2].map((i) => [0, 1, 2, 3].map((j) => 3 * i - 2 * j + 1))
const schema = new parquet.ParquetSchema({
  name: { type: 'UTF8' },
  emb: { type: 'FLOAT', repeated: true, compression: 'SNAPPY' },
})
const writer = await parquet.ParquetWriter.openFile(schema, 'parquetjs_repeated.parquet')
for (const i of [0, 1, 2]) await writer.appendRow({ name: 'd' + i, emb: rows[i] })
await writer.close()
