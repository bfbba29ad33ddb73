import { join } from "node:path";
import { findAnvil } from "../../services/demo/find-anvil.ts";
import { freePort } from "./free-port.ts";
import { RestartableServer } from "./restartable-server.ts";
import { temporaryFolder } from "./temporary-folder.ts";

const DEFAULT_CHAIN_ID = 31_337;
/** Enough for a block of 50,000 first bids: anvil keeps a copy of the state for each block, so large sales want few. */
const DEFAULT_GAS_LIMIT = 10_000_000_000n;
const DEFAULT_TIMESTAMP = Date.UTC(2026, 0, 31, 12) / 1_000;

/** How the private chain runs. */
export interface AnvilOptions {
  /** `manual` (the default): a block comes when it is asked for; `auto`: one for each transaction. */
  readonly mining?: "manual" | "auto";
  /** 31337 by default. */
  readonly chainId?: number;
  /** Of a block and of a call: 10,000,000,000 by default. */
  readonly gasLimit?: bigint;
  /** Of the first block, in seconds since 1970: 2026-01-31T12:00:00Z by default. */
  readonly timestamp?: number;
  /** Keep the chain, with the state of every block, through `kill("SIGTERM")` and `restart()`; false by default. */
  readonly keepState?: boolean;
}

/** A private EVM chain at 127.0.0.1 with unlocked, rich accounts, where gas costs nothing. */
export interface Anvil {
  /** `http://127.0.0.1:<port>` */
  readonly url: string;
  /** `ws://127.0.0.1:<port>` */
  readonly wsUrl: string;
  readonly chainId: number;
  readonly mining: "manual" | "auto";
  /** Of the present process; another one after a restart. */
  readonly pid: number;
  /** Ends it with a signal, SIGKILL by default. What was mined since the last clean end is lost with SIGKILL. */
  kill(signal?: NodeJS.Signals): Promise<void>;
  /** Starts it again on the same port, after a clean stop where it still runs; without `keepState` from nothing. */
  restart(): Promise<void>;
  /** Sends a signal without waiting for what it does, such as `SIGSTOP` and `SIGCONT`. */
  signal(signal: NodeJS.Signals): void;
  /** Ends it and removes its files. */
  stop(): Promise<void>;
}

/**
 * Starts an anvil of its own.
 *
 * @throws Error when npm installed no anvil or it doesn't start (with its output).
 */
export async function startAnvil(options: AnvilOptions = {}): Promise<Anvil> {
  const command = findAnvil();
  if (command === undefined) throw new Error("anvil is not installed");
  const folder = await temporaryFolder();
  try {
    const port = await freePort();
    const args = anvilArguments(port, folder.path, options);
    // It writes old states below HOME and would leave them there.
    const env = { HOME: folder.path };
    const server = await RestartableServer.start({ command, args, env, ready: /^Listening on/ });
    const stop = async () => {
      await server.kill();
      await folder.remove();
    };
    return anvil(server, port, options, stop);
  } catch (error) {
    await folder.remove();
    throw error;
  }
}

function anvilArguments(port: number, folder: string, options: AnvilOptions): string[] {
  return [
    ...["--host", "127.0.0.1", "--port", String(port)],
    ...["--chain-id", String(options.chainId ?? DEFAULT_CHAIN_ID)],
    ...["--timestamp", String(options.timestamp ?? DEFAULT_TIMESTAMP)],
    // Osaka would bound a transaction to 2^24 gas.
    ...["--hardfork", "prague", "--gas-limit", String(options.gasLimit ?? DEFAULT_GAS_LIMIT)],
    ...["--block-base-fee-per-gas", "0", "--gas-price", "0", "--no-request-size-limit", "--order", "fifo"],
    ...(options.mining === "auto" ? [] : ["--no-mining"]),
    ...(options.keepState ? ["--state", join(folder, "state.json"), "--preserve-historical-states"] : []),
  ];
}

function anvil(server: RestartableServer, port: number, options: AnvilOptions, stop: () => Promise<void>): Anvil {
  return {
    url: `http://127.0.0.1:${port}`,
    wsUrl: `ws://127.0.0.1:${port}`,
    chainId: options.chainId ?? DEFAULT_CHAIN_ID,
    mining: options.mining ?? "manual",
    get pid() {
      return server.pid;
    },
    kill: (signal) => server.kill(signal),
    restart: () => server.restart(),
    signal: (signal) => {
      process.kill(server.pid, signal);
    },
    stop,
  };
}
