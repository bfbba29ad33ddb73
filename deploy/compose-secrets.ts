import { createHmac, randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";

/**
 * Writes the secrets of `compose.yaml`: `node deploy/compose-secrets.ts FOLDER` makes a folder for each container below
 * FOLDER, which only that container gets to see. All are derived from one random key, which is made at the first run
 * and stays in FOLDER/master; so every later run writes the same again.
 */
const [folder] = process.argv.slice(2);
if (folder === undefined) {
  process.stderr.write("FOLDER: expected the folder to write the secrets to\n");
  process.exit(64);
}

const MASTER_BYTES = 32;
const DATABASE = "tidemark";

const master = masterKey(join(folder, "master"));
/** The caller's key at all the services that it calls. */
const callerKey = (name: string) => derive(`caller ${name}`);
const callerKeys = (...names: string[]) => names.map((name) => `${name}=${callerKey(name)}`).join(",");
const mysqlUrl = (user: string) => `mysql://${user}:${derive(`mysql ${user}`)}@mysql:3306/${DATABASE}`;

write("mysql", { "root-password": derive("mysql root"), "accounts.sql": accounts() });
write("nats", { "nats.conf": natsConfiguration() });
write("migrations", { "mysql-url": mysqlUrl("tidemark_owner") });
write("commitments", {
  "mysql-url": mysqlUrl("tidemark"),
  "nats-password": derive("nats commitments"),
  "caller-key": callerKey("commitments"),
  "caller-keys": callerKeys("gateway", "indexer", "auth", "operator"),
});
write("auth", {
  "mysql-url": mysqlUrl("tidemark"),
  "key-encryption-key": derive("key encryption"),
  "caller-key": callerKey("auth"),
  "caller-keys": callerKeys("gateway", "commitments", "operator"),
});
write("indexer", { "caller-key": callerKey("indexer"), "caller-keys": callerKeys("gateway", "operator") });
write("gateway", { "caller-key": callerKey("gateway"), "nats-password": derive("nats gateway") });
write("operator", { "caller-key": callerKey("operator") });

/** 32 bytes as base64url, which needs no quoting in URLs, SQL and the configuration of NATS. */
function derive(purpose: string): string {
  return createHmac("sha256", master).update(purpose).digest("base64url");
}

function masterKey(directory: string): Buffer {
  const path = join(directory, "key");
  mkdirSync(directory, { recursive: true });
  if (!existsSync(path)) writeFileSync(path, randomBytes(MASTER_BYTES), { mode: 0o400, flag: "wx" });
  const key = readFileSync(path);
  if (key.length === MASTER_BYTES) return key;
  throw new Error(`${path}: expected ${MASTER_BYTES} bytes; remove it to have all secrets made anew`);
}

/** Readable by whoever sees the folder: the containers run as different users. */
function write(name: string, files: Readonly<Record<string, string>>): void {
  const directory = join(folder as string, name);
  mkdirSync(directory, { recursive: true });
  for (const [file, content] of Object.entries(files)) writeFileSync(join(directory, file), content, { mode: 0o644 });
}

/** The two accounts of docs/operating.md: only the one that migrates may change tables. */
function accounts(): string {
  const data = "SELECT, INSERT, UPDATE, DELETE";
  return `CREATE DATABASE ${DATABASE} CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;
CREATE USER tidemark_owner IDENTIFIED BY '${derive("mysql tidemark_owner")}';
GRANT ${data}, CREATE, ALTER, INDEX ON ${DATABASE}.* TO tidemark_owner;
CREATE USER tidemark IDENTIFIED BY '${derive("mysql tidemark")}';
GRANT ${data} ON ${DATABASE}.* TO tidemark;
`;
}

/** JetStream, and the rights that docs/operating.md names. */
function natsConfiguration(): string {
  const events = "tidemark.commitments.v1.sale.*.updated";
  const signals = "tidemark.signal.commitments.outbox";
  const stream = ["INFO", "CREATE", "UPDATE"].map((call) => `$JS.API.STREAM.${call}.TIDEMARK_COMMITMENTS`);
  const users = [
    {
      user: "commitments",
      password: derive("nats commitments"),
      permissions: { publish: [events, signals, ...stream], subscribe: [events, signals, "_INBOX.tidemark.>"] },
    },
    {
      user: "gateway",
      password: derive("nats gateway"),
      permissions: { publish: { deny: ">" }, subscribe: [events] },
    },
  ];
  // Its format is a superset of JSON.
  return `${JSON.stringify({ jetstream: { store_dir: "/data" }, authorization: { users } }, undefined, 2)}\n`;
}
