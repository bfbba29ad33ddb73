import { execFileSync } from "node:child_process";
import { appendFile, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { ROOT } from "../test/run-command.ts";
import { changelogSections } from "./changelog.ts";
import { type Digests, publishNotes, releaseNotes } from "./notes.ts";
import { type Publication, publishChart, publishImage, signIn, UNKNOWN_DIGEST } from "./publish.ts";
import { refusals } from "./refusals.ts";
import { parseReleaseFile, RELEASE_PATH, type ReleaseFile } from "./release-file.ts";
import { dryShell, realShell, type Shell } from "./shell.ts";

// `npm run release -- STEP [--dry-run]`. A dry run changes nothing and runs nothing: it prints the commands, and what the release
// is refused for. Steps: `check`, `publish` (image and chart) and `notes`; none: all of them.

const STEPS = ["check", "publish", "notes"];
const { values, positionals } = parseArgs({ options: { "dry-run": { type: "boolean" } }, allowPositionals: true });
const [step] = positionals;
if (positionals.length > 1 || (step !== undefined && !STEPS.includes(step))) {
  console.error(`usage: npm run release -- [${STEPS.join(" | ")}] [--dry-run]`);
  process.exit(2);
}
const dryRun = values["dry-run"] === true;
const folder = await mkdtemp(join(tmpdir(), "tidemark-release-"));
try {
  await release();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  await rm(folder, { recursive: true, force: true });
}

async function release(): Promise<void> {
  const file = parseReleaseFile(await readFile(RELEASE_PATH, "utf8"));
  const { version } = JSON.parse(await readFile(join(ROOT, "package.json"), "utf8"));
  const refused = await refusals(file, version, gitState());
  for (const line of refused) console.error(`refused: ${line}`);
  if (refused.length > 0) {
    process.exitCode = 1;
    if (!dryRun) return;
  }
  const shell = dryRun ? dryShell((line) => console.log(line)) : realShell;
  const shown = dryRun ? withPlaceholders(file) : file;
  const published = isStep("publish") ? await publish(shown, version, shell) : givenDigests();
  if (isStep("notes")) await writeNotes(shown, version, published, shell);
}

function isStep(name: string): boolean {
  return step === undefined || step === name;
}

async function publish(file: ReleaseFile, version: string, shell: Shell): Promise<Digests> {
  const publication: Publication = {
    file,
    version,
    committed: git("log", "-1", "--format=%ct"),
    user: given("REGISTRY_USER"),
    password: given("REGISTRY_PASSWORD"),
    folder,
  };
  await signIn(publication, shell);
  const image = await publishImage(publication, shell);
  const chart = await publishChart(publication, image, shell);
  // The file in which a workflow's step leaves values for later jobs.
  const output = process.env["GITHUB_OUTPUT"];
  if (output !== undefined && !dryRun) await appendFile(output, `image=${image}\nchart=${chart}\n`);
  return { image, chart };
}

async function writeNotes(file: ReleaseFile, version: string, digests: Digests, shell: Shell): Promise<void> {
  const sections = changelogSections(await readFile(join(ROOT, "CHANGELOG.md"), "utf8"));
  const section = sections.find((each) => each.version === version);
  if (section === undefined) return;
  const notes = releaseNotes(file, section, digests);
  if (dryRun) console.log(notes);
  await publishNotes(folder, version, notes, shell);
}

/** Returns the digests that the step `publish` has written; empty ones for other steps than `notes`. */
function givenDigests(): Digests {
  if (!isStep("notes")) return { image: "", chart: "" };
  return dryRun
    ? { image: UNKNOWN_DIGEST, chart: UNKNOWN_DIGEST }
    : { image: given("IMAGE_DIGEST"), chart: given("CHART_DIGEST") };
}

/** A variable of the environment; its name in a dry run without it. @throws Error if it is empty */
function given(name: string): string {
  const value = process.env[name] ?? "";
  if (value === "" && !dryRun) throw new Error(`${name} is empty`);
  return value === "" ? name : value;
}

/** Shows the names of empty values in a dry run. */
function withPlaceholders(file: ReleaseFile): ReleaseFile {
  const shown = Object.entries(file).map(([name, value]) => [name, value === "" ? name : value]);
  return Object.fromEntries(shown) as unknown as ReleaseFile;
}

function gitState() {
  return { tags: git("tag", "--points-at", "HEAD").split("\n"), changed: git("status", "--porcelain") };
}

function git(...args: readonly string[]): string {
  return execFileSync("git", args, { cwd: ROOT, encoding: "utf8" }).trim();
}
