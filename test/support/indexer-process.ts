import { generateCallerKey } from "../../services/shared/rpc/callers.ts";
import { type RunningProcess, startService } from "./child-process.ts";
import { startCommitmentsProcess } from "./commitments-process.ts";

const READY = /^\{.*"msg":"indexer listens".*$/;

/** The key that the indexer of a test calls the commitments service with. */
export const indexerKey = generateCallerKey();

/** A chain of `CHAINS` with anvil behind it. */
export function anvilChain(url: string, chainId: number, options: Readonly<Record<string, unknown>> = {}) {
  return { kind: "evm", chainId, urls: [url], confirmations: 0, pollInterval: "100ms", ...options };
}

/** A commitments service that takes calls of an indexer, too. */
export function startIndexedCommitments(env: Readonly<Record<string, string>>) {
  return startCommitmentsProcess(env, { otherCallers: { indexer: indexerKey.text } });
}

export interface IndexerProcess {
  readonly process: RunningProcess;
  readonly url: string;
}

/** Starts `services/indexer/main.ts` on free ports. */
export async function startIndexerProcess(
  commitmentsUrl: string,
  chains: Readonly<Record<string, unknown>>,
  env: Readonly<Record<string, string>> = {},
): Promise<IndexerProcess> {
  const process = await startService({
    main: "services/indexer/main.ts",
    env: {
      INDEXER_PORT: "0",
      ADMIN_PORT: "0",
      COMMITMENTS_URL: commitmentsUrl,
      CALLER_NAME: "indexer",
      CALLER_KEY: indexerKey.text,
      CALLER_KEYS: `operator=${indexerKey.text}`,
      CHAINS: JSON.stringify(chains),
      SALES_INTERVAL: "100ms",
      LEASE_DURATION: "2s",
      ...env,
    },
    ready: READY,
  });
  const [line] = await process.waitForLine(READY);
  return { process, url: `http://127.0.0.1:${JSON.parse(line).port}` };
}
