import { type ChildProcessByStdio, spawn } from "node:child_process";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { recentHistory } from "../sales/recent-history.ts";
import { type OriginGuard, startOriginGuard } from "./origin-guard.ts";
import { guardProcessGroup, killProcessGroup } from "./process-guard.ts";

export const LOCAL_CHAIN_ID = 31_337;

const START_TIMEOUT_MS = 10_000;
const STOP_TIMEOUT_MS = 30_000;
/** Blocks whose logs the chain keeps. A reader that is further behind must read everything again. */
const KEPT_BLOCKS = 1_024;
/** Blocks at which the contract can be read. Each takes a copy of the chain's whole state. */
const KEPT_STATES = 32;
const STATE_FILE = "state.json";
const LISTENING = /^Listening on 127\.0\.0\.1:(\d+)$/;
/** Longest part of anvil's output in the error if it doesn't start. */
const SHOWN_CHARACTERS = 200;

type Child = ChildProcessByStdio<null, Readable, Readable>;

export interface LocalChainOptions {
  /** The path of anvil. */
  readonly command: string;
  /** Folder of the chain's state; created if it is missing. */
  readonly folder: string;
  /** Port at 127.0.0.1; 0 means any free one. */
  readonly port: number;
  /** The time of a new chain's first block, in seconds since 1970. */
  readonly genesisSeconds: number;
  /** Whether an older block than the newest 1,024 stays, by the bloom of its logs. By default none does. */
  readonly keeps?: (logsBloom: unknown) => boolean;
}

/**
 * A private chain with unlocked accounts, where gas costs nothing and every transaction is mined at once. Web pages can't
 * reach it: its port is that of a guard, and anvil takes another one at each start.
 */
export interface LocalChain {
  /** `http://127.0.0.1:<port>` */
  readonly url: string;
  /**
   * Restarts anvil with its newest 1,024 blocks and those that `keeps` names only, because anvil never drops a block
   * itself. Nobody may call this, `stop` or state-changing methods of the chain meanwhile. Errors are those of `startLocalChain`; after
   * one, this may be called again.
   */
  forgetOldBlocks(): Promise<void>;
  /** Lets anvil write its state and exit, or kills it at the deadline. */
  stop(deadline: AbortSignal): Promise<void>;
}

/**
 * Starts anvil on the state of an earlier run. anvil ends with this process, even after a crash. Its state is written
 * every 60 s and at a clean end; blocks mined after that are lost. If anvil can't load the state, for instance because it
 * is half written, the state file is renamed to `state.json.unreadable` and a new chain begins.
 *
 * @throws Error with anvil's last output if it doesn't start within 10 s.
 */
export async function startLocalChain(options: LocalChainOptions): Promise<LocalChain> {
  await mkdir(options.folder, { recursive: true, mode: 0o700 });
  await shortenState(options);
  const guard = await startOriginGuard(options.port);
  try {
    const run = await startOnce(options).catch((error: unknown) => startWithoutState(options, error));
    return new RestartableChain(options, guard, run);
  } catch (error) {
    await guard.close();
    throw error;
  }
}

/** One process of anvil. */
interface Run extends Pick<LocalChain, "stop"> {
  readonly port: number;
}

class RestartableChain implements LocalChain {
  readonly url: string;
  readonly #options: LocalChainOptions;
  readonly #guard: OriginGuard;
  #run: Run;

  constructor(options: LocalChainOptions, guard: OriginGuard, run: Run) {
    this.url = guard.url;
    this.#options = options;
    this.#guard = guard;
    this.#run = run;
    guard.lead(run.port);
  }

  async forgetOldBlocks(): Promise<void> {
    this.#guard.lead(undefined);
    await this.#run.stop(AbortSignal.timeout(STOP_TIMEOUT_MS));
    await shortenState(this.#options);
    this.#run = await startOnce(this.#options);
    this.#guard.lead(this.#run.port);
  }

  async stop(deadline: AbortSignal): Promise<void> {
    await this.#run.stop(deadline);
    await this.#guard.close();
  }
}

/** Drops old blocks from the state file. A state that can't be shortened stays as it is: anvil decides whether it loads. */
async function shortenState({ folder, keeps = () => false }: LocalChainOptions): Promise<void> {
  const state = join(folder, STATE_FILE);
  const shortened = `${state}.shortened`;
  try {
    await writeFile(shortened, recentHistory(await readFile(state, "utf8"), KEPT_BLOCKS, keeps));
    await rename(shortened, state);
  } catch {
    return;
  }
}

/** Starts without the state. If that fails too, the state wasn't the reason, and it is put back. */
async function startWithoutState(options: LocalChainOptions, reason: unknown): Promise<Run> {
  const state = join(options.folder, STATE_FILE);
  const unreadable = `${state}.unreadable`;
  const hadState = await rename(state, unreadable).then(
    () => true,
    () => false,
  );
  if (!hadState) throw reason;
  try {
    return await startOnce(options);
  } catch {
    await rename(unreadable, state);
    throw reason;
  }
}

async function startOnce(options: LocalChainOptions): Promise<Run> {
  const child = spawn(options.command, anvilArguments(options), {
    // anvil keeps files of its own in HOME.
    env: { HOME: options.folder, PATH: process.env["PATH"] },
    stdio: ["ignore", "pipe", "pipe"],
    // Not in our process group: on Ctrl+C, the chain's readers must end before the chain.
    detached: true,
  });
  guardProcessGroup(child);
  const exited = new Promise<void>((resolve) => child.once("close", () => resolve()));
  try {
    const port = await listeningPort(child);
    return { port, stop: (deadline) => stop(child, exited, deadline) };
  } catch (error) {
    killProcessGroup(child);
    throw error;
  }
}

function anvilArguments({ folder, genesisSeconds }: LocalChainOptions): string[] {
  return [
    ...["--host", "127.0.0.1", "--port", "0", "--no-cors"],
    ...["--chain-id", String(LOCAL_CHAIN_ID), "--timestamp", String(genesisSeconds)],
    // Later hardforks keep the hashes of 8,191 blocks as state, and Osaka limits a transaction to 2^24 gas.
    ...["--hardfork", "cancun", "--gas-limit", "1000000000"],
    ...["--block-base-fee-per-gas", "0", "--gas-price", "0", "--order", "fifo"],
    ...["--state", join(folder, STATE_FILE), "--state-interval", "60"],
    ...["--prune-history", String(KEPT_STATES), "--transaction-block-keeper", String(KEPT_BLOCKS)],
  ];
}

/** Waits for anvil's port. Keeps reading anvil's output for as long as it runs, so that anvil never blocks on a full pipe. */
async function listeningPort(child: Child): Promise<number> {
  const over = new AbortController();
  let lastLine = "it printed nothing";
  const listening = new Promise<number>((resolve) => {
    const read = (line: string) => {
      const [, port] = LISTENING.exec(line) ?? [];
      if (port !== undefined) resolve(Number(port));
      if (line.trim() !== "") lastLine = line.slice(0, SHOWN_CHARACTERS);
    };
    for (const input of [child.stdout, child.stderr]) createInterface({ input }).on("line", read);
  });
  const failed = new Promise<never>((_, reject) => {
    child.once("error", reject);
    child.once("close", () => reject(new Error(lastLine)));
    AbortSignal.timeout(START_TIMEOUT_MS).addEventListener("abort", () => reject(new Error("it took over 10 s")), {
      signal: over.signal,
    });
  });
  failed.catch(() => {});
  return Promise.race([listening, failed]).finally(() => over.abort());
}

async function stop(child: Child, exited: Promise<void>, deadline: AbortSignal): Promise<void> {
  const giveUp = () => killProcessGroup(child);
  if (deadline.aborted) giveUp();
  deadline.addEventListener("abort", giveUp, { once: true });
  if (child.pid !== undefined && child.exitCode === null && child.signalCode === null) {
    process.kill(child.pid, "SIGTERM");
  }
  await exited;
  deadline.removeEventListener("abort", giveUp);
}
