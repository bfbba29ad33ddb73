import { ENTITIES_AUDIENCE } from "../../../common/platform/rpc/identity/audiences.ts";
import { type EntitiesClients, entitiesClients } from "./entities-clients.ts";
import { type CallerKey, type ServiceProcess, startServiceProcess, transportOf } from "./service-process.ts";

/** Keys of the callers of the entities service. */
export type EntitiesCallerKeys = Readonly<Record<"gateway" | "operator" | "commitments", CallerKey>> & {
  readonly auth?: CallerKey;
};

/** An entities service in its own process. */
export interface EntitiesProcess extends ServiceProcess {
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
  const service = await startServiceProcess({ name: "entities", env, keys, root });
  return {
    ...service,
    as: (name) => entitiesClients(transportOf(service, { name, key: keys[name].key, audience: ENTITIES_AUDIENCE })),
  };
}
