import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { parse } from "yaml";
import { ROOT } from "../test/run-command.ts";
import { changelogRefusals, changelogSections } from "./changelog.ts";
import { pinRefusals } from "./pinned-files.ts";
import { type ReleaseFile, releaseFileRefusals } from "./release-file.ts";

/** State of the checkout. */
export interface GitState {
  /** Tags of the commit that is checked out. */
  readonly tags: readonly string[];
  /** Files that differ from it, as `git status --porcelain` lists them; empty for none. */
  readonly changed: string;
}

/** Returns the reasons why the repository can't be released now, one line each; none if it can. */
export async function refusals(file: ReleaseFile, version: string, git: GitState, root = ROOT): Promise<string[]> {
  const sections = changelogSections(await readFile(join(root, "CHANGELOG.md"), "utf8"));
  return [
    ...releaseFileRefusals(file),
    ...(await pinRefusals(root)),
    ...versionRefusals(await versions(root)),
    ...changelogRefusals(sections, version),
    ...(git.tags.includes(`v${version}`) ? [] : [`the commit has no tag v${version}`]),
    ...(git.changed === "" ? [] : ["files differ from the commit: git status"]),
  ];
}

/** The files that name the version, each with the version that it names. */
export async function versions(root = ROOT): Promise<Readonly<Record<string, string | undefined>>> {
  const read = (path: string) => readFile(join(root, path), "utf8");
  const lock = JSON.parse(await read("package-lock.json"));
  const chart = parse(await read("deploy/helm/tidemark/Chart.yaml"));
  return {
    "package.json": JSON.parse(await read("package.json")).version,
    "package-lock.json": lock.version,
    "package-lock.json's root package": lock.packages[""].version,
    "Chart.yaml's version": chart.version,
    "Chart.yaml's appVersion": chart.appVersion,
    "CHANGELOG.md's newest section": changelogSections(await read("CHANGELOG.md"))[0]?.version,
  };
}

/** One line for each file that doesn't name package.json's version. */
export function versionRefusals(named: Readonly<Record<string, string | undefined>>): string[] {
  const version = named["package.json"];
  const others = Object.entries(named).filter(([, each]) => each !== version);
  return others.map(([file, each]) => `${file} is ${each}, package.json ${version}`);
}
