import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { ROOT } from "../test/run-command.ts";
import { changelogRefusals, changelogSections } from "./changelog.ts";
import { pinRefusals } from "./pinned-files.ts";
import { type ReleaseFile, releaseFileRefusals } from "./release-file.ts";
import { versionRefusals, versions } from "./versions.ts";

/** State of the checkout. */
export interface GitState {
  /** Tags of the commit that is checked out. */
  readonly tags: readonly string[];
  /** Files that differ from it, as `git status --porcelain` lists them; empty for none. */
  readonly changed: string;
}

/** Everything for which the repository can't be released now, one line each; none: it can. */
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
