import type { CallOptions } from "@connectrpc/connect";
import { ACTOR_HEADER } from "../../../common/platform/rpc/identity/actor.ts";
import { ENTITIES_AUDIENCE } from "../../../common/platform/rpc/identity/audiences.ts";
import type { AuthDependencies } from "./auth-dependencies.ts";
import { orSignIn } from "./session.ts";

/**
 * Returns the options of calls of the entities service on somebody's behalf.
 *
 * @throws SignInRequired, which leads back to `next`
 */
export async function atEntities(
  { sessionToken }: { readonly sessionToken: string },
  { clients }: Pick<AuthDependencies, "clients">,
  next: string,
): Promise<CallOptions> {
  const request = { sessionToken, audience: ENTITIES_AUDIENCE };
  const { actorToken } = await orSignIn(() => clients.accounts.issueActorToken(request), next);
  return { headers: { [ACTOR_HEADER]: actorToken } };
}
