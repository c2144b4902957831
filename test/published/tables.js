// SPDX-License-Identifier: MIT
// What independent programs read and write of tables, for tables.py.
//   tables.js has                    the programs that are here
//   tables.js read PROGRAM FILE      its columns and rows, as JSON
//   tables.js write FILE FOLDER      the table of FILE, a Parquet file, as each program writes it
const programs = {
  duckdb: "@duckdb/node-api",
  polars: "nodejs-polars",
};

function has(name) {
  try {
    require(programs[name]);
    return true;
  } catch (e) {
    return false;
  }
}

const plain = v => (typeof v === "bigint" ? String(v) : v === undefined ? null : v);

async function connect() {
  const { DuckDBInstance } = require(programs.duckdb);
  return (await DuckDBInstance.create(":memory:")).connect();
}

const read = {
  async duckdb(path) {
    const table = await (await connect()).runAndReadAll(`SELECT * FROM '${path}'`);
    return [table.columnNames(), table.getRows()];
  },
  async polars(path) {
    const table = require(programs.polars).readParquet(path);
    return [table.columns, table.rows()];
  },
};

const write = {
  async duckdb(path, folder) {
    const db = await connect();
    for (const codec of ["uncompressed", "snappy", "gzip", "zstd"])
      for (const version of ["v1", "v2"])
        await db.run(`COPY (FROM '${path}') TO '${folder}/duckdb-${codec}-${version}.parquet'
          (COMPRESSION ${codec}, PARQUET_VERSION ${version}, ROW_GROUP_SIZE 2048)`);
  },
  async polars(path, folder) {
    const table = require(programs.polars).readParquet(path);
    for (const compression of ["uncompressed", "snappy", "gzip", "zstd"])
      table.writeParquet(`${folder}/polars-${compression}.parquet`, { compression });
  },
};

(async () => {
  const [what, ...args] = process.argv.slice(2);
  const here = Object.keys(programs).filter(has);
  if (what === "has") console.log(JSON.stringify(here));
  else if (what === "read") {
    const [names, rows] = await read[args[0]](args[1]);
    console.log(JSON.stringify([names, rows.map(row => row.map(plain))]));
  } else for (const name of here) await write[name](...args);
})();
