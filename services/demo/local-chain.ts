import { type ChildProcessByStdio, spawn } from "node:child_process";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { guardProcessGroup, killProcessGroup } from "../shared/lifecycle/process-guard.ts";
import { recentHistory } from "./recent-history.ts";

export const LOCAL_CHAIN_ID = 31_337;

const START_TIMEOUT_MS = 10_000;
const STOP_TIMEOUT_MS = 30_000;
/** Blocks whose logs can be asked for. A reader that is further behind has to read all anew. */
const KEPT_BLOCKS = 1_024;
/** Blocks at which the contract can be read: each takes a copy of all that the chain holds. */
const KEPT_STATES = 32;
const STATE_FILE = "state.json";
const LISTENING = /^Listening on 127\.0\.0\.1:(\d+)$/;
/** What is shown of anvil's own words where it doesn't start. */
const SHOWN_CHARACTERS = 200;

type Child = ChildProcessByStdio<null, Readable, Readable>;

export interface LocalChainOptions {
  /** The path of anvil. */
  readonly command: string;
  /** Keeps the chain's state; made where it is missing. */
  readonly folder: string;
  /** At 127.0.0.1; 0: any free one. */
  readonly port: number;
  /** The first block's time where the chain is new, in seconds since 1970. */
  readonly genesisSeconds: number;
}

/** A private EVM chain with unlocked accounts, where gas costs nothing and every transaction is mined at once. */
export interface LocalChain {
  /** `http://127.0.0.1:<port>` */
  readonly url: string;
  /**
   * Ends anvil and starts it again, at the same port, with its newest 1,024 blocks only: it keeps each for good otherwise.
   * Nobody else may call this, `stop` or the chain's state-changing methods meanwhile. Errors as in `startLocalChain`;
   * it may then be tried again.
   */
  forgetOldBlocks(): Promise<void>;
  /** Ends it after it has written its state; past the deadline at once. */
  stop(deadline: AbortSignal): Promise<void>;
}

/**
 * Starts anvil on the state of an earlier run. It dies with this process, however that ends; what was mined since the
 * state was last written (every 60 s, and at a clean end) is then lost. A state that anvil can't load, such as one
 * half written, is set aside and the chain begins anew.
 *
 * @throws Error when it doesn't start within 10 s, with anvil's words.
 */
export async function startLocalChain(options: LocalChainOptions): Promise<LocalChain> {
  await mkdir(options.folder, { recursive: true });
  await shortenState(options.folder);
  try {
    return new RestartableChain(options, await startOnce(options));
  } catch (error) {
    return new RestartableChain(options, await startAnew(options, error));
  }
}

/** One run of anvil. */
type Run = Pick<LocalChain, "url" | "stop">;

class RestartableChain implements LocalChain {
  readonly url: string;
  readonly #options: LocalChainOptions;
  #run: Run;

  constructor(options: LocalChainOptions, run: Run) {
    this.url = run.url;
    this.#options = { ...options, port: Number(new URL(run.url).port) };
    this.#run = run;
  }

  async forgetOldBlocks(): Promise<void> {
    await this.#run.stop(AbortSignal.timeout(STOP_TIMEOUT_MS));
    await shortenState(this.#options.folder);
    this.#run = await startOnce(this.#options);
  }

  stop(deadline: AbortSignal): Promise<void> {
    return this.#run.stop(deadline);
  }
}

/** A state that can't be shortened is anvil's to judge. */
async function shortenState(folder: string): Promise<void> {
  const state = join(folder, STATE_FILE);
  const shortened = `${state}.shortened`;
  try {
    await writeFile(shortened, recentHistory(await readFile(state, "utf8"), KEPT_BLOCKS));
    await rename(shortened, state);
  } catch {
    return;
  }
}

/** Without the state; where that doesn't help either, the state wasn't the reason and stays. */
async function startAnew(options: LocalChainOptions, reason: unknown): Promise<Run> {
  const state = join(options.folder, STATE_FILE);
  const aside = `${state}.unreadable`;
  const hadState = await rename(state, aside).then(
    () => true,
    () => false,
  );
  if (!hadState) throw reason;
  try {
    return await startOnce(options);
  } catch {
    await rename(aside, state);
    throw reason;
  }
}

async function startOnce(options: LocalChainOptions): Promise<Run> {
  const child = spawn(options.command, anvilArguments(options), {
    // Where it would otherwise keep files of its own.
    env: { HOME: options.folder, PATH: process.env["PATH"] },
    stdio: ["ignore", "pipe", "pipe"],
    // Not in our process group: Ctrl+C shall end what reads the chain before the chain.
    detached: true,
  });
  guardProcessGroup(child);
  const exited = new Promise<void>((resolve) => child.once("close", () => resolve()));
  try {
    const port = await listeningPort(child);
    return { url: `http://127.0.0.1:${port}`, stop: (deadline) => stop(child, exited, deadline) };
  } catch (error) {
    killProcessGroup(child);
    throw error;
  }
}

function anvilArguments({ folder, port, genesisSeconds }: LocalChainOptions): string[] {
  return [
    ...["--host", "127.0.0.1", "--port", String(port)],
    ...["--chain-id", String(LOCAL_CHAIN_ID), "--timestamp", String(genesisSeconds)],
    // Later ones keep the hashes of 8,191 blocks as state; Osaka would bound a transaction to 2^24 gas.
    ...["--hardfork", "cancun", "--gas-limit", "1000000000"],
    ...["--block-base-fee-per-gas", "0", "--gas-price", "0", "--order", "fifo"],
    ...["--state", join(folder, STATE_FILE), "--state-interval", "60"],
    ...["--prune-history", String(KEPT_STATES), "--transaction-block-keeper", String(KEPT_BLOCKS)],
  ];
}

/** Reads all that anvil says, so that it never waits for a reader; only its port and its last words are of interest. */
async function listeningPort(child: Child): Promise<number> {
  const over = new AbortController();
  let words = "it said nothing";
  const listening = new Promise<number>((resolve) => {
    const read = (line: string) => {
      const [, port] = LISTENING.exec(line) ?? [];
      if (port !== undefined) resolve(Number(port));
      if (line.trim() !== "") words = line.slice(0, SHOWN_CHARACTERS);
    };
    for (const input of [child.stdout, child.stderr]) createInterface({ input }).on("line", read);
  });
  const failed = new Promise<never>((_, reject) => {
    child.once("error", reject);
    child.once("close", () => reject(new Error(words)));
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
