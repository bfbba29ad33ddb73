// Runs before every npm script and installs the packages if they are missing or out of date. One of them is Node 26, which npm
// then finds first on the PATH. This script itself runs on the machine's own Node (20 or newer), so it is plain JavaScript and
// uses no packages.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { basename, delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const REQUIRED_NODE_MAJOR = 26;
/** Deno's puts the program in the place of a script that starts it, and that would not pass signals on. */
const PACKAGES_WITH_SCRIPTS = ["deno"];
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
 * Returns the first package that differs from the lock file, or undefined if there is none. Compares contents, because a
 * checkout changes modification times. Optional packages may be absent: they are for other platforms.
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
  // The lock file has no checksum for a package if the registry of its author had none.
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
  // Of the packages' install scripts only these are needed, and one of the others would report who installs it.
  runNpm("ci", "--ignore-scripts", "--no-audit", "--no-fund");
  linkPrograms();
  console.log(`bootstrap: packages installed in ${((performance.now() - start) / 1000).toFixed(1)} s`);
}

/** Links all programs: npm before 11 removes a link together with the packages for other platforms that have one of the same name. */
function linkPrograms() {
  runNpm("rebuild", "--ignore-scripts");
  runNpm("rebuild", ...PACKAGES_WITH_SCRIPTS);
}

function runNpm(subcommand, ...options) {
  const { command, args } = npm();
  // "error", because with an old Node npm warns about every package that needs a newer one, and this step installs that.
  const all = [...args, subcommand, "--loglevel=error", ...options];
  // A rebuild has nothing to say.
  const stdio = subcommand === "ci" ? "inherit" : ["inherit", "ignore", "inherit"];
  const result = spawnSync(command, all, { cwd: ROOT, stdio });
  if (result.error) throw new Error(`npm could not be started: ${result.error.message}`);
  if (result.status === 0) return;
  const why = result.signal ?? `exit code ${result.status}`;
  throw new Error(`npm ${subcommand} failed (${why}); see its message above, then try again`);
}

/** The npm that runs this script, or the one on the PATH if the script was started directly. */
function npm() {
  const cli = process.env.npm_execpath;
  return cli !== undefined && basename(cli) === "npm-cli.js"
    ? { command: process.execPath, args: [cli] }
    : { command: "npm", args: [] };
}

/** Checks the version of the Node that npm scripts will find: the installed package, if there is one for this platform. */
function checkNode() {
  // An installation that was interrupted may have left out the links.
  if (!isNewEnough(nodeVersion()) && existsSync(join(ROOT, "node_modules", ".package-lock.json"))) linkPrograms();
  const version = nodeVersion();
  if (isNewEnough(version)) return;
  throw new Error(
    `Node ${REQUIRED_NODE_MAJOR} or newer is needed, but npm scripts find ${version} on ${process.platform} ${process.arch}; ` +
      `install Node ${REQUIRED_NODE_MAJOR} and try again`,
  );
}

function isNewEnough(version) {
  return Number(/^v(\d+)\./.exec(version)?.[1]) >= REQUIRED_NODE_MAJOR;
}

function nodeVersion() {
  const path = `${join(ROOT, "node_modules", ".bin")}${delimiter}${process.env.PATH ?? ""}`;
  const result = spawnSync("node", ["--version"], { env: { ...process.env, PATH: path }, encoding: "utf8" });
  return result.status === 0
    ? result.stdout.trim()
    : `none that runs (${result.error?.message ?? result.stderr.trim()})`;
}
