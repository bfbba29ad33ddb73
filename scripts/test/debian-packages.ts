import { existsSync } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import { findProgram, isInstalled } from "../../test/support/processes/program.ts";
import { runCommand } from "./run-command.ts";

const INSTALL_LIMIT_MS = 4 * 60_000;

/** Debian asks this file before it starts a service; 101 means "don't". */
const SERVICE_POLICY = "/usr/sbin/policy-rc.d";

/**
 * Installs the named Debian packages that are missing, where this process may; no service of theirs is started.
 *
 * @param say takes lines for the user: what is installed, or what the user has to install.
 */
export async function installPackages(names: Iterable<string>, say: (line: string) => void): Promise<void> {
  const missing = [...new Set(names)].filter((name) => !isInstalled(name));
  if (missing.length === 0) return;
  if (process.getuid?.() !== 0 || findProgram("apt-get") === undefined) {
    return say(
      `not installed, so some tests are skipped: ${missing.join(", ")} (Debian's names; install them to run all)`,
    );
  }
  say(`installing ${missing.join(", ")} with apt-get`);
  const output = await withoutServices(() => aptInstall(missing));
  if (output !== undefined) say(`apt-get failed, so some tests are skipped:\n${output}`);
}

/** Returns what apt printed where it failed. */
async function aptInstall(names: readonly string[]): Promise<string | undefined> {
  const steps = [["update"], ["install", "--yes", "--no-install-recommends", ...names]];
  for (const args of steps) {
    const env = { DEBIAN_FRONTEND: "noninteractive" };
    const result = await runCommand({ command: "apt-get", args: ["--quiet", ...args], env, limitMs: INSTALL_LIMIT_MS });
    if (!result.ok) return result.output;
  }
  return undefined;
}

async function withoutServices<T>(install: () => Promise<T>): Promise<T> {
  if (existsSync(SERVICE_POLICY)) return install();
  await writeFile(SERVICE_POLICY, "#!/bin/sh\nexit 101\n", { mode: 0o755 });
  try {
    return await install();
  } finally {
    await rm(SERVICE_POLICY);
  }
}
