import { type Client, createClient } from "@connectrpc/connect";
import { createRpcTransport } from "../../../common/platform/rpc/client/client.ts";
import { INDEXER_AUDIENCE } from "../../../common/platform/rpc/identity/audiences.ts";
import { generateCallerKey } from "../../../common/platform/rpc/identity/caller-keys.ts";
import { IndexerService } from "../../../proto/gen/tidemark/indexer/v1/indexer_service_pb.ts";
import { type RunningProcess, startService } from "./child-process.ts";
import { startCommitmentsProcess } from "./commitments-process.ts";

const READY = /^\{.*"msg":"indexer listens".*$/;
const CALL_TIMEOUT_MS = 60_000;

/** The key that the indexer of a test calls the commitments service with. */
export const indexerKey = generateCallerKey();

/** An entry of `CHAINS` for anvil. */
export function anvilChain(url: string, chainId: number, options: Readonly<Record<string, unknown>> = {}) {
  return { kind: "evm", chainId, urls: [url], confirmations: 0, pollInterval: "100ms", ...options };
}

/** Starts a commitments service that also accepts calls of an indexer. */
export function startIndexedCommitments(env: Readonly<Record<string, string>>) {
  return startCommitmentsProcess(env, { otherCallers: { indexer: indexerKey.text } });
}

export interface IndexerProcess {
  readonly process: RunningProcess;
  readonly url: string;
  /** URL of its metrics. */
  readonly adminUrl: string;
  readonly indexer: Client<typeof IndexerService>;
}

/** Starts `services/indexer/main.ts` on free ports. @param root the folder of another version of the repository */
export async function startIndexerProcess(
  commitmentsUrl: string,
  chains: Readonly<Record<string, unknown>>,
  env: Readonly<Record<string, string>> = {},
  root?: string,
): Promise<IndexerProcess> {
  const process = await startService({
    main: "services/indexer/main.ts",
    cwd: root,
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
  const { port, adminPort } = JSON.parse(line);
  const url = `http://127.0.0.1:${port}`;
  const caller = { name: "operator", key: indexerKey.key, audience: INDEXER_AUDIENCE };
  const transport = createRpcTransport({ baseUrl: url, caller, defaultTimeoutMs: CALL_TIMEOUT_MS });
  const indexer = createClient(IndexerService, transport);
  return { process, url, adminUrl: `http://127.0.0.1:${adminPort}`, indexer };
}
