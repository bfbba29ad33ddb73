import { execFile, spawnSync } from "node:child_process";
import { chmodSync, chownSync, copyFileSync, globSync, mkdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import process from "node:process";
import { layOutImage } from "../../../scripts/image-files.ts";
import { type RunningProcess, startProcess } from "../processes/child-process.ts";
import { temporaryFolder } from "../processes/temporary-folder.ts";
import { describeImage, type ImageDescription } from "./image-description.ts";

type Env = Readonly<Record<string, string>>;

/** Outcome of a command of the image. */
export interface CommandResult {
  readonly code: unknown;
  readonly stdout: string;
  readonly stderr: string;
}

/** Ends a command that hangs, in milliseconds. */
const COMMAND_LIMIT_MS = 4 * 60_000;
const READY_LIMIT_MS = 4 * 60_000;

const CACHE_VARIABLE = "NODE_COMPILE_CACHE";

/**
 * The files of the container image, and its commands run as a container would: in its working folder, with its
 * environment and nothing of ours, as its user where this process may choose one, with an empty temporary folder.
 */
export class ContainerImage {
  readonly description: ImageDescription;
  /** `/` of the image. */
  readonly root: string;
  readonly remove: () => Promise<void>;
  readonly #scratch: string;
  readonly #user: number | undefined;

  private constructor(folder: string, remove: () => Promise<void>) {
    this.description = describeImage();
    this.root = join(folder, "root");
    this.#scratch = join(folder, "tmp");
    this.remove = async () => {
      this.#makeWritable();
      await remove();
    };
    chmodSync(folder, 0o755);
    mkdirSync(this.#scratch);
    chmodSync(this.#scratch, 0o1777);
    layOutImage(join(this.root, "app"));
    mkdirSync(this.#compileCache);
    chmodSync(this.root, 0o755);
    placeNode(this.#node);
    this.#user = runnableUser(this.#node, this.description.user);
    if (this.#user !== undefined) chownSync(this.#compileCache, this.#user, this.#user);
  }

  static async create(): Promise<ContainerImage> {
    const { path, remove } = await temporaryFolder();
    const image = new ContainerImage(path, remove);
    await image.#fillCompileCache();
    return image;
  }

  get #node(): string {
    return join(this.root, this.description.entrypoint[0] ?? "");
  }

  /** Options that the entry point gives to Node before a command. */
  get #options(): readonly string[] {
    return this.description.entrypoint.slice(1);
  }

  /** Makes a folder that the image's user may write to, as a mounted volume would be. */
  volume(name: string): string {
    const path = join(this.#scratch, name);
    mkdirSync(path);
    chmodSync(path, 0o777);
    return path;
  }

  /** Files of the image with size and time of change, to detect writes. */
  files(): ReadonlyMap<string, string> {
    const paths = globSync("**", { cwd: this.root, withFileTypes: true }).filter((entry) => entry.isFile());
    return new Map(
      paths.map((entry) => {
        const path = join(entry.parentPath, entry.name);
        const { size, mtimeMs } = statSync(path);
        return [path.slice(this.root.length), `${size} ${mtimeMs}`];
      }),
    );
  }

  /** Runs a command to its end. */
  run(args: readonly string[], env: Env = {}): Promise<CommandResult> {
    const options = { cwd: this.#workingFolder, env: this.#env(env), timeout: COMMAND_LIMIT_MS, ...this.#identity };
    return new Promise((resolve) => {
      execFile(this.#node, [...this.#options, ...args], options, (error, stdout, stderr) => {
        resolve({ code: error === null ? 0 : (error.code ?? error.signal), stdout, stderr });
      });
    });
  }

  /** Starts a command that goes on. */
  start(args: readonly string[], env: Env, ready: RegExp): Promise<RunningProcess> {
    return startProcess({
      command: this.#node,
      args: [...this.#options, ...args],
      env: this.#env(env),
      cwd: this.#workingFolder,
      ready,
      readyTimeoutMs: READY_LIMIT_MS,
      ...(this.#user !== undefined && { user: this.#user }),
    });
  }

  get #workingFolder(): string {
    return join(this.root, "app");
  }

  get #compileCache(): string {
    return join(this.root, this.description.env[CACHE_VARIABLE] ?? "");
  }

  async #fillCompileCache(): Promise<void> {
    const { code, stderr } = await this.run(["deploy/fill-compile-cache.ts", this.#compileCache]);
    if (code !== 0) throw new Error(`the compile cache was not filled: ${stderr}`);
  }

  /** Nobody may write to the filled cache, not even remove it, where the tests don't run as root. */
  #makeWritable(): void {
    const entries = globSync("**", { cwd: this.#compileCache, withFileTypes: true });
    const folders = entries.filter((entry) => entry.isDirectory()).map((entry) => join(entry.parentPath, entry.name));
    for (const folder of [this.#compileCache, ...folders]) chmodSync(folder, 0o755);
  }

  get #identity() {
    return this.#user === undefined ? {} : { uid: this.#user, gid: this.#user };
  }

  #env(env: Env): Record<string, string> {
    const image = { ...this.description.env, [CACHE_VARIABLE]: this.#compileCache };
    return { PATH: "/nonexistent", HOME: "/nonexistent", TMPDIR: this.#scratch, ...image, ...env };
  }
}

/** Puts a Node at the entry point's place. */
function placeNode(path: string): void {
  mkdirSync(dirname(path), { recursive: true });
  copyFileSync(process.execPath, path);
  for (const each of [dirname(dirname(path)), dirname(path), path]) chmodSync(each, 0o755);
}

/** The image's user where this process may become it and it can reach the files, else undefined: this one. */
function runnableUser(node: string, user: number): number | undefined {
  if (process.getuid?.() !== 0) return undefined;
  return spawnSync(node, ["--version"], { uid: user, gid: user, cwd: "/", env: {} }).status === 0 ? user : undefined;
}
