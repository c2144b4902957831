// SPDX-License-Identifier: MIT
// What independent programs read and write of tables, for tables.py.
//   tables.js has FORMAT                 the programs that are here, of those that know it
//   tables.js read FORMAT PROGRAM FILE   its columns and rows, as JSON; of arrow, standard input
//   tables.js write FORMAT FILE FOLDER   the table of FILE as each program writes it
const fs = require("fs");

const programs = {
  parquet: { duckdb: "@duckdb/node-api", polars: "nodejs-polars" },
  arrow: { arrow: "apache-arrow", polars: "nodejs-polars" },
};

const has = name => {
  try {
    require(name);
    return true;
  } catch (e) {
    return false;
  }
};

const plain = v => (typeof v === "bigint" ? String(v) : v === undefined ? null : v);

async function connect() {
  const { DuckDBInstance } = require("@duckdb/node-api");
  return (await DuckDBInstance.create(":memory:")).connect();
}

const read = {
  parquet: {
    async duckdb(path) {
      const table = await (await connect()).runAndReadAll(`SELECT * FROM '${path}'`);
      return [table.columnNames(), table.getRows()];
    },
    polars(path) {
      const table = require("nodejs-polars").readParquet(path);
      return [table.columns, table.rows()];
    },
  },
  arrow: {
    arrow() {
      const table = require("apache-arrow").tableFromIPC(fs.readFileSync(0));
      const names = table.schema.fields.map(field => field.name);
      return [names, table.toArray().map(row => names.map(name => row[name]))];
    },
    polars() {
      const table = require("nodejs-polars").readIPCStream(fs.readFileSync(0));
      return [table.columns, table.rows()];
    },
  },
};

const write = {
  parquet: {
    async duckdb(path, folder) {
      const db = await connect();
      for (const codec of ["uncompressed", "snappy", "gzip", "zstd"])
        for (const version of ["v1", "v2"])
          await db.run(`COPY (FROM '${path}') TO '${folder}/duckdb-${codec}-${version}.parquet'
            (COMPRESSION ${codec}, PARQUET_VERSION ${version}, ROW_GROUP_SIZE 2048)`);
    },
    polars(path, folder) {
      const table = require("nodejs-polars").readParquet(path);
      for (const compression of ["uncompressed", "snappy", "gzip", "zstd"])
        table.writeParquet(`${folder}/polars-${compression}.parquet`, { compression });
    },
  },
  arrow: {
    arrow(path, folder) {
      const { tableFromIPC, tableToIPC } = require("apache-arrow");
      const table = tableFromIPC(fs.readFileSync(path));
      // Its files have no schema before the rows, as those of others do.
      fs.writeFileSync(`${folder}/arrow-stream.arrow`, tableToIPC(table, "stream"));
    },
    polars(path, folder) {
      const table = require("nodejs-polars").readIPCStream(fs.readFileSync(path));
      for (const compression of ["uncompressed", "zstd"]) {
        table.writeIPC(`${folder}/polars-${compression}-file.arrow`, { compression });
        table.writeIPCStream(`${folder}/polars-${compression}-stream.arrow`, { compression });
      }
    },
  },
};

(async () => {
  const [what, format, ...args] = process.argv.slice(2);
  const here = Object.keys(programs[format]).filter(name => has(programs[format][name]));
  if (what === "has") console.log(JSON.stringify(here));
  else if (what === "read") {
    const [names, rows] = await read[format][args[0]](args[1]);
    console.log(JSON.stringify([names, rows.map(row => row.map(plain))]));
  } else for (const name of here) await write[format][name](...args);
})();
