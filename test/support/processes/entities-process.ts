import { createRpcTransport } from "../../../common/platform/rpc/client/client.ts";
import { ENTITIES_AUDIENCE } from "../../../common/platform/rpc/identity/audiences.ts";
import type { CallerKey } from "./auth-process.ts";
import { type RunningProcess, startService } from "./child-process.ts";
import { type EntitiesClients, entitiesClients } from "./entities-clients.ts";

const READY = /^\{.*"msg":"entities service listens".*$/;
const CALL_TIMEOUT_MS = 60_000;

/** Keys of the callers of the entities service. */
export type EntitiesCallerKeys = Readonly<Record<"gateway" | "operator" | "commitments", CallerKey>> & {
  readonly auth?: CallerKey;
};

/** An entities service in its own process. */
export interface EntitiesProcess {
  readonly process: RunningProcess;
  readonly url: string;
  /** URL of its metrics. */
  readonly adminUrl: string;
  as(caller: "gateway" | "operator"): EntitiesClients;
}

/**
 * Starts `services/entities/main.ts`, on free ports unless `env` names them.
 *
 * @param env the settings, among them the URLs of the other services and `CALLER_KEY`
 * @param root the folder of another version of the repository
 */
export async function startEntitiesProcess(
  env: Readonly<Record<string, string>>,
  keys: EntitiesCallerKeys,
  root?: string,
): Promise<EntitiesProcess> {
  const process = await startService({
    main: "services/entities/main.ts",
    cwd: root,
    env: {
      ENTITIES_PORT: "0",
      ADMIN_PORT: "0",
      CALLER_NAME: "entities",
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
  return {
    process,
    url,
    adminUrl: `http://127.0.0.1:${adminPort}`,
    as: (name) => {
      const caller = { name, key: keys[name].key, audience: ENTITIES_AUDIENCE };
      return entitiesClients(createRpcTransport({ baseUrl: url, caller, defaultTimeoutMs: CALL_TIMEOUT_MS }));
    },
  };
}
