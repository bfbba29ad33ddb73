import type { RunningProcess } from "./child-process.ts";
import { startProcess } from "./child-process.ts";
import { temporaryFolder } from "./temporary-folder.ts";

/** The demo sale's UUID: an open auction with several hundred commitments. */
export const DEMO_SALE_UUID = "11111111-1111-4111-8111-111111111111";

const READY = /public read: (http:\/\/127\.0\.0\.1:\d+\/svc\/v1\/public\/read-commitment-data)/;

/** Everything in one process, with the demo sale, on free ports and with data of its own. */
export interface EmbeddedTidemark {
  /** Where to POST `{"SaleUUID": "…"}`. */
  readonly publicReadUrl: string;
  readonly process: RunningProcess;
  /** Kills the process and removes its data. */
  stop(): Promise<void>;
}

const COMMANDS = {
  node: { command: "node", args: ["services/embedded.ts"] },
  deno: { command: "deno", args: ["task", "--quiet", "start"] },
};

/** Starts the embedded process as `npm start` does, or as `deno task start` does, and waits until it can be read. */
export async function startEmbedded(runtime: keyof typeof COMMANDS): Promise<EmbeddedTidemark> {
  const folder = await temporaryFolder();
  const env = {
    GATEWAY_PORT: "0",
    ADMIN_PORT: "0",
    COMMITMENTS_PORT: "0",
    INDEXER_PORT: "0",
    DATA_DIR: folder.path,
    DEMO: "on",
  };
  try {
    const process = await startProcess({ ...COMMANDS[runtime], env, ready: READY });
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
