import { AUTH_AUDIENCE } from "../../../common/platform/rpc/identity/audiences.ts";
import { generateCallerKey } from "../../../common/platform/rpc/identity/caller-keys.ts";
import { type AuthClients, authClients } from "./auth-clients.ts";
import { type CallerKey, type ServiceProcess, startServiceProcess, transportOf } from "./service-process.ts";

/** An auth service in its own process. */
export interface AuthProcess extends ServiceProcess {
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
  const service = await startServiceProcess({ name: "auth", env, keys, root });
  return {
    ...service,
    as: (name) => authClients(transportOf(service, { name, ...keys[name], audience: AUTH_AUDIENCE })),
  };
}
