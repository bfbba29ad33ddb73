import { join } from "node:path";
import { findAnvil } from "../../../services/demo/chain/find-anvil.ts";
import { freePort } from "../processes/free-port.ts";
import { RestartableServer } from "../processes/restartable-server.ts";
import { temporaryFolder } from "../processes/temporary-folder.ts";

const DEFAULT_CHAIN_ID = 31_337;
/** Enough for a block of 50,000 first bids. Large sales need few blocks, because anvil copies the state for each. */
const DEFAULT_GAS_LIMIT = 10_000_000_000n;
const DEFAULT_TIMESTAMP = Date.UTC(2026, 0, 31, 12) / 1_000;

/** Settings of the private chain. */
export interface AnvilOptions {
  /** `manual` (the default) mines a block on demand; `auto` one for each transaction. */
  readonly mining?: "manual" | "auto";
  /** 31337 by default. */
  readonly chainId?: number;
  /** Gas limit of a block and of a call: 10,000,000,000 by default. */
  readonly gasLimit?: bigint;
  /** Time of the first block, in seconds since 1970: 2026-01-31T12:00:00Z by default. */
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
  /** The ID of the current process; another one after a restart. */
  readonly pid: number;
  /** Ends it with a signal, SIGKILL by default, which loses the blocks since the last clean end. */
  kill(signal?: NodeJS.Signals): Promise<void>;
  /** Restarts it on the same port, with a clean end if it is running; without `keepState` the chain is new. */
  restart(): Promise<void>;
  /** Sends a signal such as `SIGSTOP` or `SIGCONT`, and doesn't wait. */
  signal(signal: NodeJS.Signals): void;
  /** Ends it and removes its files. */
  stop(): Promise<void>;
}

/**
 * Starts a private anvil.
 *
 * @throws Error if npm has installed no anvil, or with its output if it doesn't start.
 */
export async function startAnvil(options: AnvilOptions = {}): Promise<Anvil> {
  const command = findAnvil();
  if (command === undefined) throw new Error("anvil is not installed");
  const folder = await temporaryFolder();
  try {
    const port = await freePort();
    const args = anvilArguments(port, folder.path, options);
    // anvil leaves old states in HOME.
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
    // Osaka limits a transaction to 2^24 gas.
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
