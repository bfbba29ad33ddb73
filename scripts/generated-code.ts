import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { runCommand } from "./test/run-command.ts";

const GENERATION_LIMIT_MS = 60_000;

/**
 * Generates the code of all protos in `folder`/proto/gen, as configured in buf.gen.yaml.
 *
 * @returns buf's output if it failed, else undefined.
 */
export async function generateCode(folder: string): Promise<string | undefined> {
  const result = await runCommand({
    command: "buf",
    args: ["generate", "--output", folder],
    limitMs: GENERATION_LIMIT_MS,
  });
  return result.ok ? undefined : result.output;
}

/**
 * Compares all files of two folders byte by byte.
 *
 * @returns the sorted relative paths of files that differ, or that only one of the folders has.
 */
export async function differingFiles(first: string, second: string): Promise<string[]> {
  const paths = new Set([...(await filesBelow(first)), ...(await filesBelow(second))]);
  const differing: string[] = [];
  for (const path of paths) if (!(await sameContent(join(first, path), join(second, path)))) differing.push(path);
  return differing.sort();
}

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return files.map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
}

async function sameContent(first: string, second: string): Promise<boolean> {
  const [left, right] = await Promise.all([first, second].map((path) => readFile(path).catch(() => undefined)));
  return left !== undefined && right !== undefined && left.equals(right);
}
