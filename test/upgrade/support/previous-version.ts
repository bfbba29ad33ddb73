import { execFileSync } from "node:child_process";
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { productionPackages } from "../../../scripts/production-packages.ts";
import { temporaryFolder } from "../../support/processes/temporary-folder.ts";
import { REPOSITORY_ROOT } from "../../support/repository/repository.ts";

/** The version that an upgrade begins with, until there is a tag: the first one whose protos the present ones are compatible with. */
const BEFORE_RELEASES = "dc6dc8df6f37497c6aa2f30fcbdf1fe3844455ca";
const LIMIT_MS = 5 * 60_000;

/** An earlier commit of this repository, or why there is none here. */
export type PreviousVersion = { readonly commit: string; readonly name: string } | { readonly missing: string };

/** Finds the last release before the present commit, whose own tag doesn't count. A shallow clone fetches its history first. */
export function findPreviousVersion(): PreviousVersion {
  const isShallow = answerOf("rev-parse", "--is-shallow-repository") === "true";
  if (isShallow) answerOf("fetch", "--quiet", "--unshallow", "--tags", "origin");
  const tag = answerOf("describe", "--tags", "--abbrev=0", "--match=v*", "HEAD^");
  const commit = answerOf("rev-parse", "--verify", `${tag ?? BEFORE_RELEASES}^{commit}`);
  const name = tag ?? BEFORE_RELEASES.slice(0, 7);
  return commit === undefined
    ? { missing: `commit ${name} in git${isShallow ? ", a shallow clone" : ""}` }
    : { commit, name };
}

/** Returns the output of git, or undefined if it fails. */
function answerOf(...args: readonly string[]): string | undefined {
  try {
    return git(...args);
  } catch {
    return undefined;
  }
}

/** Lays out a commit with its packages in a folder that ends with `stack`. @returns the folder */
export async function layOutVersion(commit: string, stack: AsyncDisposableStack): Promise<string> {
  const { path, remove } = await temporaryFolder();
  stack.defer(remove);
  const [archive, root] = [join(path, "version.tar"), join(path, "version")];
  git("archive", "--prefix=version/", `--output=${archive}`, commit);
  run("tar", ["--extract", "--file", archive, "--directory", path], path);
  // The packages are installed anew only where they differ.
  if (JSON.stringify(productionPackages(root)) === JSON.stringify(productionPackages())) {
    symlinkSync(join(REPOSITORY_ROOT, "node_modules"), join(root, "node_modules"));
  } else {
    const omitted = ["--omit=dev", "--omit=optional", "--omit=peer"];
    run("npm", ["ci", ...omitted, "--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline"], root);
  }
  return root;
}

function git(...args: readonly string[]): string {
  return run("git", args, REPOSITORY_ROOT).trim();
}

/** @throws Error with what the program says if it fails */
function run(program: string, args: readonly string[], cwd: string): string {
  return execFileSync(program, args, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"], timeout: LIMIT_MS });
}
