import { type RunningProcess, startProcess } from "./child-process.ts";
import { temporaryFolder } from "./temporary-folder.ts";

/** The demo sale's UUID: an open auction with several hundred commitments. */
export const DEMO_SALE_UUID = "11111111-1111-4111-8111-111111111111";

const READY = /public read: (http:\/\/127\.0\.0\.1:\d+\/[a-z]+\/v1\/public\/read-commitment-data)/;

/** Everything in one process, with the demo sale, on free ports and with data of its own. */
export interface EmbeddedTidemark {
  /** URL that takes a POST of `{"SaleUUID": "…"}`. */
  readonly publicReadUrl: string;
  readonly process: RunningProcess;
  /** Kills the process and removes its data, where they were in a folder of its own. */
  stop(): Promise<void>;
}

const COMMANDS = {
  node: { command: "node", args: ["services/embedded.ts"] },
  deno: { command: "deno", args: ["task", "--quiet", "start"] },
};
/** Settings with which the embedded process takes its ports from the system. */
export const FREE_PORTS = {
  GATEWAY_PORT: "0",
  ADMIN_PORT: "0",
  COMMITMENTS_PORT: "0",
  INDEXER_PORT: "0",
  AUTH_PORT: "0",
  ENTITIES_PORT: "0",
  DEMO_APP_PORT: "0",
};

/**
 * Starts the embedded process as `npm start` does, or as `deno task start` does, and waits until it can be read.
 *
 * @param env settings of this run; with a `DATA_DIR` the data are the caller's.
 */
export async function startEmbedded(
  runtime: keyof typeof COMMANDS,
  env: Readonly<Record<string, string>> = {},
): Promise<EmbeddedTidemark> {
  const folder = await temporaryFolder();
  const settings = { ...FREE_PORTS, DATA_DIR: folder.path, DEMO: "on", ...env };
  try {
    const process = await startProcess({ ...COMMANDS[runtime], env: settings, ready: READY });
    const [, publicReadUrl = ""] = await process.waitForLine(READY);
    const stop = async () => {
      await process.kill();
      await folder.remove();
    };
    return { publicReadUrl, process, stop };
  } catch (error) {
    await folder.remove();
    throw error;
  }
}
