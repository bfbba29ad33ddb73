import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { findProgram } from "../../test/support/processes/program.ts";
import { runCommand } from "./run-command.ts";
import { type FoundTool, toolCache } from "./tool-cache.ts";

/** A program that is a Python package of the same name. */
export interface PythonTool {
  readonly name: string;
  readonly version: string;
}

export const SCHEMATHESIS: PythonTool = { name: "schemathesis", version: "4.32.5" };
export const ZIZMOR: PythonTool = { name: "zizmor", version: "1.32.0" };

const INSTALL_LIMIT_MS = 5 * 60_000;

/** Returns the kept tool. Otherwise pip installs it into a virtual environment, if Python can. */
export async function pythonTool({ name, version }: PythonTool): Promise<FoundTool> {
  const folder = join(toolCache("python-tools"), `${name}-${version}`);
  const path = join(folder, "bin", name);
  if (existsSync(path)) return { path };
  if (findProgram("python3") === undefined) return { missing: `${name} is not installed, nor is Python to install it` };
  const commands = [
    { command: "python3", args: ["-m", "venv", folder] },
    { command: join(folder, "bin", "pip"), args: ["install", "--quiet", `${name}==${version}`] },
  ];
  for (const command of commands) {
    const { ok } = await runCommand({ ...command, limitMs: INSTALL_LIMIT_MS });
    if (ok) continue;
    await rm(folder, { recursive: true, force: true });
    return { missing: `${name} is not installed, and pip could not install ${name} ${version}` };
  }
  return { path };
}
