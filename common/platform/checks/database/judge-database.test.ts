import { describe, expect, it } from "vitest";
import type { DatabaseFacts } from "./database-facts.ts";
import { judgeDatabase } from "./judge-database.ts";

const NOW = Date.UTC(2026, 0, 31);
const DAY = 86_400_000;

const VARIABLES = {
  autocommit: "ON",
  binlog_format: "MIXED",
  character_set_client: "utf8mb4",
  character_set_connection: "utf8mb4",
  character_set_results: "utf8mb4",
  collation_connection: "utf8mb4_bin",
  collation_database: "utf8mb4_bin",
  log_bin: "ON",
  max_connections: "151",
  read_only: "OFF",
  sql_mode: "STRICT_ALL_TABLES,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION",
  time_zone: "+00:00",
  tx_isolation: "READ-COMMITTED",
  version: "10.11.6-MariaDB-log",
  wait_timeout: "28800",
  wsrep_on: "OFF",
  wsrep_sync_wait: "0",
};

const factsOf = (variables: Readonly<Record<string, string>>, others: Partial<DatabaseFacts> = {}): DatabaseFacts => ({
  database: "tidemark",
  variables: new Map(Object.entries({ ...VARIABLES, ...variables })),
  grants: { privileges: new Set(["SELECT", "INSERT", "UPDATE", "DELETE"]), hasOthers: false },
  otherCollations: [],
  otherEngines: [],
  cipher: "",
  certificateUntilMs: undefined,
  ...others,
});

const wrong = (facts: DatabaseFacts, changesTables = false) =>
  judgeDatabase(facts, { changesTables, poolSize: 10 }, NOW)
    .filter(({ level }) => level !== "ok")
    .map(({ level, subject, text }) => `${level} ${subject}: ${text}`);

describe("judgeDatabase", () => {
  it("finds nothing wrong where all is as it should be", () => {
    expect(wrong(factsOf({}))).toEqual([]);
    expect(wrong(factsOf({ version: "8.0.36", transaction_isolation: "READ-COMMITTED" }))).toEqual([]);
  });

  it.each<[Readonly<Record<string, string>>, RegExp]>([
    [{ version: "10.6.18-MariaDB" }, /^warning database: the version is older/],
    [{ read_only: "ON" }, /^warning database: the server has read_only/],
    [{ binlog_format: "STATEMENT" }, /^failed database: binlog_format is STATEMENT/],
    [{ wsrep_on: "ON", wsrep_sync_wait: "1" }, /^failed database: wsrep_sync_wait is 1/],
    [{ max_connections: "9" }, /^warning database: max_connections is 9/],
    [{ wait_timeout: "30" }, /^warning database: wait_timeout is 30 s/],
    [{ time_zone: "SYSTEM" }, /^failed database session: .*time_zone is SYSTEM, not \+00:00$/],
    [{ tx_isolation: "REPEATABLE-READ" }, /^failed database session: .*isolation is REPEATABLE-READ/],
    [{ sql_mode: "NO_ENGINE_SUBSTITUTION,ERROR_FOR_DIVISION_BY_ZERO" }, /session: .*sql_mode lacks STRICT_ALL_TABLES$/],
    [{ sql_mode: `${VARIABLES.sql_mode},NO_BACKSLASH_ESCAPES` }, /session: .*sql_mode has NO_BACKSLASH_ESCAPES$/],
    [{ autocommit: "OFF" }, /session: .*autocommit is OFF/],
    [{ character_set_results: "latin1" }, /session: .*character_set_results is latin1/],
    [{ collation_connection: "utf8mb4_general_ci" }, /session: .*collation_connection is utf8mb4_general_ci/],
    [{ collation_database: "latin1_swedish_ci" }, /^warning database collation: .*latin1_swedish_ci/],
  ])("says what is wrong with %j", (variables, expected) => {
    expect(wrong(factsOf(variables))).toEqual([expect.stringMatching(expected)]);
  });

  it("names tables and columns that were changed", () => {
    const otherEngines = [{ name: "sale", value: "MyISAM" }];
    const otherCollations = [{ name: "sale.name", value: "utf8mb4_general_ci" }];
    expect(wrong(factsOf({}, { otherEngines, otherCollations }))).toEqual([
      expect.stringMatching(/^failed database: table sale has the engine MyISAM/),
      expect.stringMatching(/^failed database collation: column sale\.name has the collation utf8mb4_general_ci/),
    ]);
  });

  it("asks for more rights where tables are changed, and doesn't claim what it can't see", () => {
    const lacks = "failed database rights: the account lacks CREATE, ALTER, INDEX";
    expect(wrong(factsOf({}), true)).toEqual([lacks]);
    expect(wrong(factsOf({}, { grants: { privileges: new Set(), hasOthers: true } }))).toEqual([
      expect.stringMatching(/^warning database rights: .* that can't be told from here$/),
    ]);
  });

  it("judges the certificate of an encrypted connection", () => {
    const tls = (days: number) =>
      factsOf({}, { cipher: "TLS_AES_256_GCM_SHA384", certificateUntilMs: NOW + days * DAY });
    expect(wrong(tls(15))).toEqual([]);
    expect(wrong(tls(13))).toEqual([expect.stringMatching(/^warning database TLS: the certificate ends in 13 days/)]);
    expect(wrong(tls(0))).toEqual([expect.stringMatching(/^failed database TLS: the certificate has expired/)]);
  });
});
