import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { layOutImage } from "./image-files.ts";
import { runCommand } from "./test/run-command.ts";

const LIMIT_MS = 5 * 60_000;
/** Options that fix what tar would take from the machine: the order of folders, owners, and times. They need GNU tar. */
const FIXED = ["--sort=name", "--owner=0", "--group=0", "--numeric-owner", "--mtime=@0", "--format=gnu"];

/**
 * Writes the folder that deploy/Dockerfile copies as a tar, byte for byte the same from every build of a commit.
 *
 * @throws Error with what tar says, if it fails
 */
export async function writeImageTar(file: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "tidemark-image-"));
  try {
    layOutImage(join(folder, "app"));
    const args = ["--create", "--file", file, ...FIXED, "--directory", folder, "app"];
    const { ok, output } = await runCommand({ command: "tar", args, limitMs: LIMIT_MS });
    if (!ok) throw new Error(`tar: ${output.trim()}`);
    await chmod(file, 0o644);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

// `node scripts/image-tar.ts FILE`
if (import.meta.main) {
  const [file] = process.argv.slice(2);
  if (file === undefined) throw new Error("usage: node scripts/image-tar.ts FILE");
  await writeImageTar(file);
}
