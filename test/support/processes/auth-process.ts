import { createRpcTransport } from "../../../common/platform/rpc/client/client.ts";
import { AUTH_AUDIENCE } from "../../../common/platform/rpc/identity/audiences.ts";
import { type CallerCredentials, generateCallerKey } from "../../../common/platform/rpc/identity/caller-keys.ts";
import { type AuthClients, authClients } from "./auth-clients.ts";
import { type RunningProcess, startService } from "./child-process.ts";

const READY = /^\{.*"msg":"auth service listens".*$/;
const CALL_TIMEOUT_MS = 60_000;

export interface CallerKey {
  readonly key: Uint8Array;
  readonly text: string;
}

/** An auth service in its own process. */
export interface AuthProcess {
  readonly process: RunningProcess;
  readonly url: string;
  readonly adminPort: number;
  /** The URL of its admin server, with the metrics. */
  readonly adminUrl: string;
  as(caller: keyof AuthCallerKeys): AuthClients;
}

/** Keys of the callers of the auth service. */
export type AuthCallerKeys = Readonly<Record<"gateway" | "operator" | "commitments" | "entities", CallerKey>>;

export function generateAuthCallerKeys(): AuthCallerKeys {
  return {
    gateway: generateCallerKey(),
    operator: generateCallerKey(),
    commitments: generateCallerKey(),
    entities: generateCallerKey(),
  };
}

/**
 * Starts `services/auth/main.ts`, on free ports unless `env` names them.
 *
 * @param env the settings, among them the folders for data and mails, `COMMITMENTS_URL` and `CALLER_KEY`
 * @param root the folder of another version of the repository
 */
export async function startAuthProcess(
  env: Readonly<Record<string, string>>,
  keys = generateAuthCallerKeys(),
  root?: string,
): Promise<AuthProcess> {
  const process = await startService({
    main: "services/auth/main.ts",
    cwd: root,
    env: {
      AUTH_PORT: "0",
      ADMIN_PORT: "0",
      CALLER_NAME: "auth",
      CALLER_KEYS: Object.entries(keys)
        .map(([name, { text }]) => `${name}=${text}`)
        .join(","),
      ...env,
    },
    ready: READY,
  });
  const [line] = await process.waitForLine(READY);
  const { port, adminPort } = JSON.parse(line);
  const url = `http://127.0.0.1:${port}`;
  const adminUrl = `http://127.0.0.1:${adminPort}`;
  return {
    process,
    url,
    adminPort,
    adminUrl,
    as: (name) => clientsOf(url, { name, ...keys[name], audience: AUTH_AUDIENCE }),
  };
}

function clientsOf(baseUrl: string, caller: CallerCredentials): AuthClients {
  const transport = createRpcTransport({ baseUrl, caller, defaultTimeoutMs: CALL_TIMEOUT_MS });
  return authClients(transport);
}
