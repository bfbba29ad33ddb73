import { type Client, createClient } from "@connectrpc/connect";
import { createRpcTransport } from "../../../common/platform/rpc/client/client.ts";
import { COMMITMENTS_AUDIENCE } from "../../../common/platform/rpc/identity/audiences.ts";
import { generateCallerKey } from "../../../common/platform/rpc/identity/caller-keys.ts";
import { CommitmentService } from "../../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import { SaleService } from "../../../proto/gen/tidemark/commitments/v1/sale_service_pb.ts";
import { WebhookService } from "../../../proto/gen/tidemark/commitments/v1/webhook_service_pb.ts";
import { type RunningProcess, startService } from "./child-process.ts";

const READY = /^\{.*"msg":"commitments service listens".*$/;

/** A commitments service that runs as a process of its own, with clients that may do everything. */
export interface CommitmentsProcess {
  readonly process: RunningProcess;
  readonly url: string;
  /** URL of its metrics. */
  readonly adminUrl: string;
  readonly sales: Client<typeof SaleService>;
  readonly commitments: Client<typeof CommitmentService>;
  readonly webhooks: Client<typeof WebhookService>;
}

/** Starts `services/commitments/main.ts` on free ports; `env` says where its data are. */
export async function startCommitmentsProcess(
  env: Readonly<Record<string, string>>,
  options: {
    readonly port?: number;
    readonly timeoutMs?: number;
    readonly key?: { key: Uint8Array; text: string };
    /** Keys of callers beside the operator, as text. */
    readonly otherCallers?: Readonly<Record<string, string>>;
    /** The folder of another version of the repository. */
    readonly root?: string | undefined;
  } = {},
): Promise<CommitmentsProcess> {
  const { key, text } = options.key ?? generateCallerKey();
  const process = await startService({
    main: "services/commitments/main.ts",
    cwd: options.root,
    env: {
      COMMITMENTS_PORT: String(options.port ?? 0),
      ADMIN_PORT: "0",
      CALLER_KEYS: callerKeys({ operator: text, ...options.otherCallers }),
      ...env,
    },
    ready: READY,
  });
  const [line] = await process.waitForLine(READY);
  const { port, adminPort } = JSON.parse(line);
  const url = `http://127.0.0.1:${port}`;
  const transport = createRpcTransport({
    baseUrl: url,
    caller: { name: "operator", key, audience: COMMITMENTS_AUDIENCE },
    defaultTimeoutMs: options.timeoutMs ?? 60_000,
  });
  return {
    process,
    url,
    adminUrl: `http://127.0.0.1:${adminPort}`,
    sales: createClient(SaleService, transport),
    commitments: createClient(CommitmentService, transport),
    webhooks: createClient(WebhookService, transport),
  };
}

function callerKeys(keys: Readonly<Record<string, string>>): string {
  return Object.entries(keys)
    .map(([name, text]) => `${name}=${text}`)
    .join(",");
}
