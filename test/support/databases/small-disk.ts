import { execFileSync } from "node:child_process";
import { open, rm } from "node:fs/promises";
import { join } from "node:path";
import { type RunningProcess, startProcess } from "../processes/child-process.ts";
import { findProgram } from "../processes/program.ts";
import { temporaryFolder } from "../processes/temporary-folder.ts";

/** A user namespace of its own, so that nobody needs to be root. */
const UNSHARE = ["--user", "--map-root-user", "--mount"];
const BALLAST = "ballast";
const BALLAST_CHUNK = Buffer.alloc(1 << 20);

/** A command as `spawn` takes it. */
export interface Command {
  readonly command: string;
  readonly args: readonly string[];
}

/**
 * A file system in memory that can be filled to its last byte. Only processes that are started inside of it see it (it
 * is mounted in a namespace of its own), so nothing is left of it after the last of them, however they end.
 */
export class SmallDisk {
  /** Path of the disk for processes inside the namespace. */
  readonly folder: string;
  readonly #holder: RunningProcess;
  readonly #removeFolder: () => Promise<void>;

  private constructor(folder: string, holder: RunningProcess, removeFolder: () => Promise<void>) {
    this.folder = folder;
    this.#holder = holder;
    this.#removeFolder = removeFolder;
  }

  /** Linux, where namespaces are open to this user. */
  static isPossible(): boolean {
    if (["unshare", "nsenter", "mount"].some((program) => findProgram(program) === undefined)) return false;
    try {
      execFileSync("unshare", [...UNSHARE, "mount", "-t", "tmpfs", "tmpfs", "/mnt"], { stdio: "ignore" });
      return true;
    } catch {
      return false;
    }
  }

  static async create(mebibytes: number): Promise<SmallDisk> {
    const { path, remove } = await temporaryFolder();
    const script = 'mount -t tmpfs -o "size=$1m" tmpfs "$2" && echo mounted && exec sleep infinity';
    const args = [...UNSHARE, "sh", "-c", script, "small-disk", String(mebibytes), path];
    const holder = await startProcess({ command: "unshare", args, ready: /^mounted$/ });
    return new SmallDisk(path, holder, remove);
  }

  /** Command that runs another one as root of the namespace. */
  inside({ command, args }: Command): Command {
    const enter = ["--target", String(this.#holder.pid), "--user", "--mount", "--preserve-credentials", "--"];
    return { command: "nsenter", args: [...enter, command, ...args] };
  }

  /** Takes all that is left. */
  async fill(): Promise<void> {
    const file = await open(this.#ballast, "w");
    try {
      for (;;) await file.write(BALLAST_CHUNK);
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "ENOSPC")) throw error;
    } finally {
      await file.close();
    }
  }

  /** Gives back what `fill` took. */
  async free(): Promise<void> {
    await rm(this.#ballast, { force: true });
  }

  async remove(): Promise<void> {
    await this.#holder.kill();
    await this.#removeFolder();
  }

  get #ballast(): string {
    return join(`/proc/${this.#holder.pid}/root`, this.folder, BALLAST);
  }
}
