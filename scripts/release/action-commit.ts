import { runCommand } from "../test/run-command.ts";

const LIMIT_MS = 60_000;

/**
 * Asks git for the commit of an action's tag or branch.
 *
 * @param name `OWNER/REPOSITORY`, possibly with a folder behind it
 * @throws Error if git can't read the repository or it has no such tag or branch
 */
export async function actionCommit(name: string, version: string, host = "https://github.com"): Promise<string> {
  const repository = `${host}/${name.split("/", 2).join("/")}`;
  const refs = [`refs/tags/${version}`, `refs/heads/${version}`];
  // An annotated tag is an object of its own; `^{}` is the commit that it names.
  const args = ["ls-remote", repository, ...refs.flatMap((ref) => [ref, `${ref}^{}`])];
  const { ok, output } = await runCommand({
    command: "git",
    args,
    env: { GIT_TERMINAL_PROMPT: "0" },
    limitMs: LIMIT_MS,
  });
  if (!ok) throw new Error(`${repository}: ${output.trim()}`);
  const commits = new Map(Array.from(output.matchAll(/^([0-9a-f]{40})\t(\S+)$/gm), ([, commit, ref]) => [ref, commit]));
  const commit = refs
    .flatMap((ref) => [commits.get(`${ref}^{}`), commits.get(ref)])
    .find((found) => found !== undefined);
  if (commit === undefined) throw new Error(`${repository} has no tag or branch ${version}`);
  return commit;
}
