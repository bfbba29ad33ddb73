/** Modes under which statements run: no value is changed silently so that it fits. */
export const SQL_MODES: readonly string[] = [
  "STRICT_ALL_TABLES",
  "NO_ENGINE_SUBSTITUTION",
  "ERROR_FOR_DIVISION_BY_ZERO",
];
/** The clock is read as local time: it must not jump at the end of daylight saving time. */
export const TIME_ZONE = "+00:00";
/** The collation of literals, by which they are compared exactly. */
export const CONNECTION_COLLATION = "utf8mb4_bin";

/** Returns the statements that prepare each new connection. @param lockWaitSeconds `MYSQL_LOCK_WAIT` */
export function sessionStatements({ lockWaitSeconds }: { readonly lockWaitSeconds: number }): readonly string[] {
  return [
    "set session transaction isolation level read committed",
    `set session sql_mode = '${SQL_MODES.join(",")}'`,
    `set session time_zone = '${TIME_ZONE}'`,
    `set session innodb_lock_wait_timeout = ${lockWaitSeconds}`,
  ];
}
