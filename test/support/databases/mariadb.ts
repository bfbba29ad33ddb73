import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { createConnection } from "mysql2/promise";
import { freePort } from "../processes/free-port.ts";
import { findProgram, requireProgram } from "../processes/program.ts";
import { RestartableServer } from "../processes/restartable-server.ts";
import { temporaryFolder } from "../processes/temporary-folder.ts";
import type { TlsCertificate } from "../processes/tls-certificate.ts";
import type { Command, SmallDisk } from "./small-disk.ts";

/** A member of a cluster first gets the data of another one. */
const READY_LIMIT_MS = 4 * 60_000;

/** Options of the private server. */
export interface MariaDbOptions {
  /** Sync to disk at every commit, as in production. By default commits survive a killed process, not a power failure. */
  readonly durable?: boolean;
  /** `innodb_buffer_pool_size`, such as `4G`; `64M` by default. */
  readonly bufferPool?: `${number}${"M" | "G"}`;
  /** Disk of its data; by default they are in a temporary folder. */
  readonly disk?: SmallDisk;
  /** Its certificate. TLS is then required. */
  readonly tls?: TlsCertificate;
  /** Its membership of a cluster, `startGalera`; none by default. */
  readonly cluster?: ClusterMember;
}

/** Arguments that make a server a member of a cluster, and the line by which it says that it is one. */
export interface ClusterMember {
  readonly args: readonly string[];
  readonly ready: RegExp;
}

/** A private MariaDB at 127.0.0.1, with the account `root` and no password. */
export interface MariaDb {
  /** `mysql://root@127.0.0.1:<port>`, without a database. */
  readonly url: string;
  readonly port: number;
  /** ID of the present process; another one after a restart. */
  readonly pid: number;
  /** The present process's latest output. */
  output(): string;
  /** Ends the server with a signal, SIGKILL by default; its data stay. */
  kill(signal?: NodeJS.Signals): Promise<void>;
  /** Starts it again on the same data and port, after a clean stop where it still runs. */
  restart(): Promise<void>;
  /** Ends the server and removes its data. */
  stop(): Promise<void>;
  /** Creates an empty database (a name of letters, digits and `_`) and returns its URL. */
  createDatabase(name: string): Promise<string>;
}

/**
 * Starts a MariaDB of its own on an empty data folder, with binary UTF-8 collation; ready in about a second.
 *
 * @throws Error when MariaDB isn't installed or doesn't start (with its output).
 */
export async function startMariaDb(options: MariaDbOptions = {}): Promise<MariaDb> {
  const folder = await temporaryFolder();
  try {
    const port = await freePort();
    const path = options.disk?.folder ?? folder.path;
    if (options.cluster !== undefined && isRoot()) await giveTo(CLUSTER_USER, path);
    await initialise(path, options);
    if (options.tls !== undefined) {
      await writeFile(join(path, "cert.pem"), options.tls.cert);
      await writeFile(join(path, "key.pem"), options.tls.key);
    }
    const server = await RestartableServer.start(serverOptions(path, port, options));
    const stop = async () => {
      await server.kill();
      await folder.remove();
    };
    return mariaDb(server, port, stop);
  } catch (error) {
    await folder.remove();
    throw error;
  }
}

/** Creates an empty database on a running server (its URL without a database) and returns the database's own URL. */
export async function createMariaDbDatabase(serverUrl: string, name: string): Promise<string> {
  if (!/^[A-Za-z0-9_]{1,64}$/.test(name)) throw new Error(`bad database name ${JSON.stringify(name)}`);
  const connection = await createConnection(serverUrl);
  try {
    await connection.query(`CREATE DATABASE \`${name}\` CHARACTER SET utf8mb4 COLLATE utf8mb4_bin`);
  } finally {
    await connection.end();
  }
  return `${serverUrl}/${name}`;
}

function mariaDb(server: RestartableServer, port: number, stop: () => Promise<void>): MariaDb {
  const url = `mysql://root@127.0.0.1:${port}`;
  return {
    url,
    port,
    get pid() {
      return server.pid;
    },
    output: () => server.output(),
    kill: (signal) => server.kill(signal),
    restart: () => server.restart(),
    stop,
    createDatabase: (name) => createMariaDbDatabase(url, name),
  };
}

/**
 * The user of the Debian package, for members of a cluster that root starts: what copies data between them would become
 * `nobody` as root.
 */
const CLUSTER_USER = "mysql";

function isRoot(): boolean {
  return process.getuid?.() === 0;
}

async function giveTo(user: string, folder: string): Promise<void> {
  await promisify(execFile)("chown", [user, folder]);
}

async function initialise(folder: string, options: MariaDbOptions): Promise<void> {
  const { command, args } = commandOf("mariadb-install-db", options, [
    `--datadir=${join(folder, "data")}`,
    // Servers that start delete the temporary tables in their folder: in a shared one those of their neighbours, too.
    `--tmpdir=${folder}`,
    "--auth-root-authentication-method=normal",
    "--skip-test-db",
    "--skip-name-resolve",
    "--innodb-log-file-size=8M",
  ]);
  await promisify(execFile)(command, args);
}

function serverOptions(folder: string, port: number, options: MariaDbOptions) {
  const { durable = false, bufferPool = "64M" } = options;
  const command = commandOf("mariadbd", options, [
    `--datadir=${join(folder, "data")}`,
    // Its own: a starting server removes every temporary table that it finds there, also a neighbour's.
    `--tmpdir=${folder}`,
    `--socket=${join(folder, "socket")}`,
    `--pid-file=${join(folder, "pid")}`,
    `--port=${port}`,
    "--bind-address=127.0.0.1",
    "--skip-name-resolve",
    `--innodb-buffer-pool-size=${bufferPool}`,
    `--innodb-flush-log-at-trx-commit=${durable ? 1 : 2}`,
    "--performance-schema=OFF",
    "--skip-log-bin",
    "--character-set-server=utf8mb4",
    "--collation-server=utf8mb4_bin",
    ...(options.tls === undefined ? [] : tlsOptions(folder)),
    ...(options.cluster?.args ?? []),
  ]);
  return { ...command, ready: options.cluster?.ready ?? /ready for connections/, readyTimeoutMs: READY_LIMIT_MS };
}

function tlsOptions(folder: string): readonly string[] {
  const files = [`--ssl-cert=${join(folder, "cert.pem")}`, `--ssl-key=${join(folder, "key.pem")}`];
  return [...files, "--require-secure-transport=ON"];
}

function commandOf(
  program: "mariadbd" | "mariadb-install-db",
  { disk, cluster }: MariaDbOptions,
  args: readonly string[],
): Command {
  // MariaDB refuses to run as root without `--user`. Other users need no option.
  const user = cluster === undefined ? "root" : CLUSTER_USER;
  const userArgs = disk !== undefined || isRoot() ? [`--user=${user}`] : [];
  const command = {
    command: findMariaDbProgram(program) ?? requireProgram(program),
    args: [...baseArgs(), ...args, ...userArgs],
  };
  return disk?.inside(command) ?? command;
}

/**
 * Path of one of the server's programs: in `TEST_MARIADB_FOLDER`, the root folder of another MariaDB, or else the installed one.
 *
 * @returns undefined where there is none
 */
export function findMariaDbProgram(name: "mariadbd" | "mariadb-install-db"): string | undefined {
  const folder = otherMariaDb();
  if (folder === undefined) return findProgram(name);
  return join(folder, name === "mariadbd" ? "bin" : "scripts", name);
}

/** Options that must come first. */
function baseArgs(): readonly string[] {
  const folder = otherMariaDb();
  return ["--no-defaults", ...(folder === undefined ? [] : [`--basedir=${folder}`])];
}

function otherMariaDb(): string | undefined {
  return process.env["TEST_MARIADB_FOLDER"] || undefined;
}
