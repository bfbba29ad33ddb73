/** A 64-bit integer column. SQLite returns `bigint`, mysql2 text; both take `bigint`. Times are milliseconds since 1970. */
export type Int64 = bigint | string;
/** A small integer column. SQLite returns `bigint`, mysql2 a number. */
export type SmallInt = bigint | number;
