// Runs before every npm script, on whatever Node the machine has (20 or newer), so it is plain JavaScript without
// packages: it installs the packages where needed, a Node 24 among them, which npm then finds first on the PATH.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { basename, delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const REQUIRED_NODE_MAJOR = 24;
const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));

try {
  const stale = firstStalePackage();
  if (stale !== undefined) installPackages(stale);
  checkNode();
} catch (error) {
  console.error(`bootstrap: ${error.message}`);
  process.exitCode = 1;
}

/**
 * The first package that isn't installed as the lock file says, or undefined where all are. Contents are compared,
 * since a checkout changes modification times at random. Packages for other platforms are rightly absent.
 */
function firstStalePackage() {
  const locked = readPackages(join(ROOT, "package-lock.json"));
  if (locked === undefined)
    throw new Error("package-lock.json is missing or unreadable; check the repository out again");
  const installed = readPackages(join(ROOT, "node_modules", ".package-lock.json"));
  if (installed === undefined) return "node_modules";
  const paths = new Set([...Object.keys(locked), ...Object.keys(installed)]);
  paths.delete("");
  return [...paths].find((path) => !isInstalledAsLocked(locked[path], installed[path]));
}

function isInstalledAsLocked(locked, installed) {
  if (installed === undefined) return locked.optional === true;
  if (locked?.version !== installed.version) return false;
  // The lock file lacks the checksum of a package that its author's registry didn't have.
  return locked.integrity === undefined || locked.integrity === installed.integrity;
}

function readPackages(path) {
  try {
    return JSON.parse(readFileSync(path, "utf8")).packages;
  } catch {
    return undefined;
  }
}

function installPackages(stale) {
  console.log(`bootstrap: ${stale} is missing or out of date: running npm ci (half a minute on a first run)`);
  const start = performance.now();
  const { command, args } = npm();
  // "error": with an old Node, npm warns about every package that wants a newer one, which this very step brings.
  const options = ["ci", "--loglevel=error", "--no-audit", "--no-fund"];
  const result = spawnSync(command, [...args, ...options], { cwd: ROOT, stdio: "inherit" });
  if (result.error) throw new Error(`npm could not be started: ${result.error.message}`);
  if (result.status !== 0) {
    throw new Error(
      `npm ci failed (${result.signal ?? `exit code ${result.status}`}); see its message above, then try again`,
    );
  }
  console.log(`bootstrap: packages installed in ${((performance.now() - start) / 1000).toFixed(1)} s`);
}

/** The npm that runs this script; started by hand, the one on the PATH. */
function npm() {
  const cli = process.env.npm_execpath;
  return cli !== undefined && basename(cli) === "npm-cli.js"
    ? { command: process.execPath, args: [cli] }
    : { command: "npm", args: [] };
}

/** Asks the Node that npm scripts will find, which is the installed one where there is one for this platform. */
function checkNode() {
  const path = `${join(ROOT, "node_modules", ".bin")}${delimiter}${process.env.PATH ?? ""}`;
  const result = spawnSync("node", ["--version"], { env: { ...process.env, PATH: path }, encoding: "utf8" });
  const version =
    result.status === 0 ? result.stdout.trim() : `none that runs (${result.error?.message ?? result.stderr.trim()})`;
  if (Number(/^v(\d+)\./.exec(version)?.[1]) >= REQUIRED_NODE_MAJOR) return;
  throw new Error(
    `Node ${REQUIRED_NODE_MAJOR} or newer is needed, but npm scripts find ${version} on ${process.platform} ${process.arch}; ` +
      `install Node ${REQUIRED_NODE_MAJOR} and try again`,
  );
}
