import { execFile } from "node:child_process";
import { once } from "node:events";
import { readdir } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { generateCallerKey } from "../../common/platform/rpc/identity/caller-keys.ts";
import { inheritedEnvironment } from "../support/processes/child-process.ts";
import { type TemporaryFolder, temporaryFolder } from "../support/processes/temporary-folder.ts";
import { POLL_TIMEOUT_MS } from "../support/repository/polling.ts";
import { REPOSITORY_ROOT } from "../support/repository/repository.ts";

type Env = Readonly<Record<string, string>>;

const COMMITMENTS = "services/commitments/main.ts";
const GATEWAY = "gateway/main.ts";
const EMBEDDED = "services/embedded.ts";
const AUTH = "services/auth/main.ts";
const INDEXER = "services/indexer/main.ts";
const ENTITIES = "services/entities/main.ts";
/** Path below a file, where there can be no folder. */
const FILE = join(REPOSITORY_ROOT, "package.json", "data");

const EXIT_CONFIG = 78;
const key = generateCallerKey().text;
const ports: Env = { COMMITMENTS_PORT: "0", GATEWAY_PORT: "0", ADMIN_PORT: "0" };

/** Settings with which each process starts, but for its data folder. */
const GOOD: Readonly<Record<string, Env>> = {
  [COMMITMENTS]: { ...ports, CALLER_KEYS: `operator=${key}` },
  [GATEWAY]: { ...ports, COMMITMENTS_URL: "http://127.0.0.1:1", CALLER_NAME: "gateway", CALLER_KEY: key },
  [EMBEDDED]: { ...ports, AUTH_PORT: "0", ENTITIES_PORT: "0", INDEXER_PORT: "0", DEMO: "off" },
  [INDEXER]: {
    ...ports,
    INDEXER_PORT: "0",
    COMMITMENTS_URL: "http://127.0.0.1:1",
    CALLER_NAME: "indexer",
    CALLER_KEY: key,
    CALLER_KEYS: `operator=${key}`,
  },
  [AUTH]: {
    ...ports,
    AUTH_PORT: "0",
    AUTH_URL: "https://auth.example",
    KEY_ENCRYPTION_KEY: key,
    MAIL_DIR: "unused",
    COMMITMENTS_URL: "http://127.0.0.1:1",
    CALLER_NAME: "auth",
    CALLER_KEY: key,
    CALLER_KEYS: `gateway=${key}`,
  },
  [ENTITIES]: {
    ...ports,
    ENTITIES_PORT: "0",
    AUTH_URL: "https://auth.example",
    AUTH_RPC_URL: "http://127.0.0.1:1",
    COMMITMENTS_URL: "http://127.0.0.1:1",
    INDEXER_URL: "http://127.0.0.1:1",
    KEY_ENCRYPTION_KEY: key,
    CALLER_NAME: "entities",
    CALLER_KEY: key,
    CALLER_KEYS: `gateway=${key}`,
  },
};

describe("a bad configuration", () => {
  let folder: TemporaryFolder;
  beforeAll(async () => {
    folder = await temporaryFolder();
  });
  afterAll(() => folder.remove());

  /** Runs a process to its end with good values, but for `bad`. Its data folder doesn't exist yet. */
  function run(main: string, bad: Env) {
    const env = { ...inheritedEnvironment(), DATA_DIR: join(folder.path, "data"), ...GOOD[main], ...bad };
    const args = process.versions["deno"] === undefined ? [main] : ["run", "--allow-all", main];
    const options = { cwd: REPOSITORY_ROOT, env, timeout: POLL_TIMEOUT_MS };
    return new Promise<{ code: unknown; stdout: string; stderr: string }>((resolve) => {
      execFile(process.execPath, args, options, (error, stdout, stderr) => {
        resolve({ code: error?.code ?? 0, stdout, stderr });
      });
    });
  }

  it.each<[string, string, Env, string]>([
    ["a port above 65535", COMMITMENTS, { COMMITMENTS_PORT: "65536" }, "COMMITMENTS_PORT: expected an integer from 0"],
    [
      "a port that is no number",
      GATEWAY,
      { GATEWAY_PORT: "http" },
      'GATEWAY_PORT: expected an integer from 0 to 65535, got "http"',
    ],
    ["a key of another length", AUTH, { KEY_ENCRYPTION_KEY: "c2hvcnQ" }, "KEY_ENCRYPTION_KEY: expected 32 bytes"],
    ["a port of RPCs below 0", ENTITIES, { ENTITIES_PORT: "-1" }, "ENTITIES_PORT: expected an integer from 0"],
    ["no sign-in", ENTITIES, { AUTH_RPC_URL: "" }, "AUTH_RPC_URL: expected an absolute URL that begins with http:"],
    ["nobody who checks contracts", ENTITIES, { INDEXER_URL: "" }, "INDEXER_URL: expected an absolute URL that begins"],
    ["no key for its tables", ENTITIES, { KEY_ENCRYPTION_KEY: "" }, "KEY_ENCRYPTION_KEY: expected a secret, it is not"],
    ["a file for its tables", ENTITIES, { DATA_DIR: FILE }, "DATA_DIR: expected a folder that can be written to"],
    [
      "taking part without sign-in",
      GATEWAY,
      { ENTITIES_URL: "http://127.0.0.1:1" },
      "ENTITIES_URL: expected only together",
    ],
    ["no key", AUTH, { KEY_ENCRYPTION_KEY: "" }, "KEY_ENCRYPTION_KEY: expected a secret, it is not set"],
    ["an issuer with a path", AUTH, { AUTH_URL: "https://auth.example/sale" }, "AUTH_URL: expected an https origin"],
    ["an issuer without TLS", EMBEDDED, { AUTH_URL: "http://auth.example" }, "AUTH_URL: expected an https origin"],
    ["neither server nor folder for mails", AUTH, { MAIL_DIR: "" }, "SMTP_URL: expected a URL that begins with smtp:"],
    ["SMTP without a sender", AUTH, { SMTP_URL: "smtp://127.0.0.1" }, "MAIL_FROM: expected a value"],
    ["tokens that live too long", AUTH, { ACCESS_TOKEN_TTL: "61m" }, "ACCESS_TOKEN_TTL: expected a duration from 1m"],
    ["auth for a service without a key of its own", COMMITMENTS, { AUTH_RPC_URL: "http://127.0.0.1:1" }, "CALLER_NAME"],
    ["no callers", COMMITMENTS, { CALLER_KEYS: "" }, "CALLER_KEYS: expected name=key of each caller, or CALLER_TOKEN"],
    ["subjects of no issuer", AUTH, { CALLER_SUBJECTS: "a=b" }, "CALLER_TOKEN_ISSUER: expected the issuer"],
    ["an issuer without keys", AUTH, { CALLER_TOKEN_ISSUER: "https://issuer.example" }, "CALLER_TOKEN_JWKS: expected"],
    ["a certificate without its key", COMMITMENTS, { RPC_TLS_CERT: "x" }, "RPC_TLS_KEY: expected it together with"],
    ["a key without its certificate", AUTH, { RPC_TLS_KEY: "x" }, "RPC_TLS_CERT: expected it together with"],
    [
      "a certificate that is none",
      AUTH,
      { RPC_TLS_CERT: "x", RPC_TLS_KEY: "hunter2" },
      "RPC_TLS_CERT: expected certif",
    ],
    ["an authority that is none", GATEWAY, { RPC_CA: "x" }, "RPC_CA: expected certificates in PEM"],
    ["a key and tokens", GATEWAY, { CALLER_TOKEN_DIR: "/nowhere" }, "CALLER_TOKEN_DIR: expected either it or CALLER_"],
    ["a port of RPCs that is none", INDEXER, { INDEXER_PORT: "1.5" }, "INDEXER_PORT: expected an integer from 0"],
    ["a deadline that is too long", INDEXER, { APPLY_TIMEOUT: "2m" }, "APPLY_TIMEOUT: expected a duration from 1s"],
    ["a drain that takes too long", COMMITMENTS, { DRAIN_DELAY: "2m" }, "DRAIN_DELAY: expected a duration from 0ms"],
    ["a port of RPCs above 65535", AUTH, { AUTH_PORT: "65536" }, "AUTH_PORT: expected an integer from 0"],
    ["a file as its folder", COMMITMENTS, { DATA_DIR: FILE }, "DATA_DIR: expected a folder that can be written to"],
    ["no folder for its data", EMBEDDED, { DATA_DIR: FILE }, "DATA_DIR: expected a folder that can be written to"],
    ["no folder for mails", AUTH, { MAIL_DIR: FILE }, "MAIL_DIR: expected a folder that can be written to"],
    ["no folder for its mails", EMBEDDED, { MAIL_DIR: FILE }, "MAIL_DIR: expected a folder that can be written to"],
    ["a negative port", EMBEDDED, { ADMIN_PORT: "-1" }, 'ADMIN_PORT: expected an integer from 0 to 65535, got "-1"'],
    [
      "a duration without unit",
      GATEWAY,
      { CACHE_MAX_STALE: "5" },
      'CACHE_MAX_STALE: expected a duration from 250ms to 60s, got "5"',
    ],
    [
      "a duration below its bound",
      COMMITMENTS,
      { REQUEST_RETENTION: "1h" },
      "REQUEST_RETENTION: expected a duration from 24h",
    ],
    [
      "two durations that don't fit",
      GATEWAY,
      { CACHE_MAX_AGE: "1s", CACHE_MAX_STALE: "2s" },
      "CACHE_MAX_AGE: expected at least CACHE_MAX_STALE",
    ],
    [
      "a size with an unknown unit",
      COMMITMENTS,
      { RPC_MAX_REQUEST: "32MB" },
      'RPC_MAX_REQUEST: expected a size from 1MiB to 256MiB, got "32MB"',
    ],
    ["a prefix with a slash", GATEWAY, { PUBLIC_PATH_PREFIX: "a/b" }, "PUBLIC_PATH_PREFIX: expected one path segment"],
    [
      "a URL of another kind of database",
      COMMITMENTS,
      { MYSQL_URL: "postgres://u:hunter2@db/x" },
      "MYSQL_URL: expected an absolute URL that begins with mysql:",
    ],
    [
      "a batch of no rows",
      COMMITMENTS,
      { APPLY_MAX_ROWS: "0" },
      'APPLY_MAX_ROWS: expected an integer from 1 to 20000, got "0"',
    ],
    ["an unknown log level", EMBEDDED, { LOG_LEVEL: "loud" }, "LOG_LEVEL: expected one of "],
    [
      "a caller's key that is too short",
      COMMITMENTS,
      { CALLER_KEYS: "operator=hunter2" },
      "CALLER_KEYS: expected name=key in entry 1, the key 32 to 1024 bytes",
    ],
    [
      "an own key that is no base64url",
      GATEWAY,
      { CALLER_KEY: "hunter2!" },
      "CALLER_KEY: expected 32 to 1024 bytes as base64url",
    ],
    [
      "no service to call",
      GATEWAY,
      { COMMITMENTS_URL: "" },
      "COMMITMENTS_URL: expected an absolute URL that begins with http: or https:, it is not set",
    ],
    [
      "a value and a file at once",
      COMMITMENTS,
      { CALLER_KEYS_FILE: "/dev/null" },
      "CALLER_KEYS: expected either CALLER_KEYS or CALLER_KEYS_FILE, both are set",
    ],
    [
      "a file that isn't there",
      GATEWAY,
      { CALLER_KEY: "", CALLER_KEY_FILE: "/absent/key" },
      "CALLER_KEY_FILE: expected a readable file",
    ],
    [
      "an address of another machine",
      EMBEDDED,
      { HOST: "192.0.2.1" },
      'HOST: expected an address of this machine, got "192.0.2.1"',
    ],
  ])("%s ends %s with code 78 and one line that names the variable", async (_, main, bad, line) => {
    const { code, stdout, stderr } = await run(main, bad);
    expect({ code, stdout }).toEqual({ code: EXIT_CONFIG, stdout: "" });
    expect(stderr).toMatch(/^[^\n]+\n$/);
    expect(stderr.slice(0, line.length)).toBe(line);
    expect(stderr).not.toContain("hunter2");
    expect(await readdir(folder.path)).toEqual([]);
  });

  it.each([
    [COMMITMENTS, "COMMITMENTS_PORT"],
    [COMMITMENTS, "ADMIN_PORT"],
    [GATEWAY, "GATEWAY_PORT"],
    [EMBEDDED, "COMMITMENTS_PORT"],
    [EMBEDDED, "GATEWAY_PORT"],
    [EMBEDDED, "AUTH_PORT"],
    [EMBEDDED, "ENTITIES_PORT"],
    [AUTH, "AUTH_PORT"],
    [ENTITIES, "ENTITIES_PORT"],
    [INDEXER, "INDEXER_PORT"],
  ])("%s ends with code 78 and one line where %s is in use", async (main, variable) => {
    const other = createServer().listen(0, "127.0.0.1");
    await once(other, "listening");
    const { port } = other.address() as AddressInfo;
    const { code, stderr } = await run(main, { [variable]: String(port) });
    other.close();
    expect({ code, stderr }).toEqual({
      code: EXIT_CONFIG,
      stderr: `${variable}: expected a free port, 127.0.0.1:${port} is in use (EADDRINUSE)\n`,
    });
    // No tables, and not even the file for them.
    expect(await readdir(folder.path)).toEqual([]);
  });
});
