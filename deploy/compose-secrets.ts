import { createHmac, randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";

/**
 * Writes the secrets of `compose.yaml`: `node deploy/compose-secrets.ts FOLDER` creates a folder below FOLDER for each
 * container, which only that container can read. All secrets are derived from one random key, created by the first run and
 * kept in FOLDER/master, so every later run writes the same secrets.
 *
 * With a number after FOLDER, `KEY_ENCRYPTION_KEY` of all services is the key of that number from then on, 1 being the first, and
 * the one before becomes `KEY_ENCRYPTION_KEY_OTHER`.
 */
const [folder, wantedNumber] = process.argv.slice(2);
if (folder === undefined) refuse("FOLDER: expected the folder to write the secrets to");
if (wantedNumber !== undefined && !/^[1-9]\d{0,3}$/.test(wantedNumber)) {
  refuse("NUMBER: expected an integer from 1 to 9999, the number of the key");
}

const MASTER_BYTES = 32;
const DATABASE = "tidemark";

const master = masterKey(join(folder, "master"));
const numbers = keyNumbers(join(folder, "master", "key-numbers"));
/** The key of a caller, the same for all services that it calls. */
const callerKey = (name: string) => derive(`caller ${name}`);
const callerKeys = (...names: string[]) => names.map((name) => `${name}=${callerKey(name)}`).join(",");
const mysqlUrl = (user: string) => `mysql://${user}:${derive(`mysql ${user}`)}@mariadb:3306/${DATABASE}`;

write("mariadb", { "root-password": derive("mysql root"), "accounts.sql": accounts() });
write("nats", { "nats.conf": natsConfiguration() });
write("migrations", { "mysql-url": mysqlUrl("tidemark_owner") });
write("commitments", {
  "mysql-url": mysqlUrl("tidemark"),
  ...keyEncryptionKeys("key encryption of commitments"),
  "nats-password": derive("nats commitments"),
  "caller-key": callerKey("commitments"),
  "caller-keys": callerKeys("gateway", "indexer", "auth", "operator", "entities"),
});
write("auth", {
  "mysql-url": mysqlUrl("tidemark"),
  ...keyEncryptionKeys("key encryption"),
  "caller-key": callerKey("auth"),
  "caller-keys": callerKeys("gateway", "commitments", "operator", "entities"),
});
write("indexer", {
  "caller-key": callerKey("indexer"),
  "caller-keys": callerKeys("gateway", "commitments", "operator", "entities"),
});
write("entities", {
  "mysql-url": mysqlUrl("tidemark"),
  ...keyEncryptionKeys("key encryption of entities"),
  "caller-key": callerKey("entities"),
  "caller-keys": callerKeys("gateway", "commitments", "auth", "operator"),
});
write("gateway", { "caller-key": callerKey("gateway"), "nats-password": derive("nats gateway") });
write("operator", { "caller-key": callerKey("operator") });

/** Derives 32 bytes as base64url, which needs no quoting in URLs, SQL and the configuration of NATS. */
function derive(purpose: string): string {
  return createHmac("sha256", master).update(purpose).digest("base64url");
}

function masterKey(directory: string): Buffer {
  const path = join(directory, "key");
  mkdirSync(directory, { recursive: true });
  if (!existsSync(path)) writeFileSync(path, randomBytes(MASTER_BYTES), { mode: 0o400, flag: "wx" });
  const key = readFileSync(path);
  if (key.length === MASTER_BYTES) return key;
  throw new Error(`${path}: expected ${MASTER_BYTES} bytes; remove it to create all secrets anew`);
}

/** The present number and the one before, if there was another; stored, so that every later run writes the same keys. */
function keyNumbers(path: string): { readonly present: number; readonly former?: number } {
  const stored = existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : { present: 1 };
  const present = Number(wantedNumber ?? stored.present);
  if (present === stored.present) return stored;
  const changed = { present, former: stored.present };
  writeFileSync(path, JSON.stringify(changed), { mode: 0o600 });
  return changed;
}

function keyEncryptionKeys(purpose: string): Record<string, string> {
  const keyOf = (number: number) => derive(number === 1 ? purpose : `${purpose} ${number}`);
  const { present, former } = numbers;
  return {
    "key-encryption-key": keyOf(present),
    ...(former !== undefined && { "key-encryption-key-other": keyOf(former) }),
  };
}

/** Ends with an error of usage. */
function refuse(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(64);
}

/** Writes files that every user may read, because containers run as different users; the volumes keep them apart. */
function write(name: string, files: Readonly<Record<string, string>>): void {
  const directory = join(folder as string, name);
  mkdirSync(directory, { recursive: true });
  for (const [file, content] of Object.entries(files)) writeFileSync(join(directory, file), content, { mode: 0o644 });
}

/** SQL for the two accounts of docs/operating.md; only the one for migrations may change tables. */
function accounts(): string {
  const data = "SELECT, INSERT, UPDATE, DELETE";
  return `CREATE DATABASE ${DATABASE} CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;
CREATE USER tidemark_owner IDENTIFIED BY '${derive("mysql tidemark_owner")}';
GRANT ${data}, CREATE, ALTER, INDEX ON ${DATABASE}.* TO tidemark_owner;
CREATE USER tidemark IDENTIFIED BY '${derive("mysql tidemark")}';
GRANT ${data} ON ${DATABASE}.* TO tidemark;
`;
}

/** Configuration of NATS: JetStream, and the permissions of docs/operating.md. */
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
  // The format is a superset of JSON.
  return `${JSON.stringify({ jetstream: { store_dir: "/data" }, authorization: { users } }, undefined, 2)}\n`;
}
