import type { HandlerContext } from "@connectrpc/connect";
import type { Actor } from "../../../common/platform/rpc/identity/actor.ts";
import type { AuthContext } from "../base/context.ts";
import type { Role } from "../memberships/membership.ts";
import { requireActor, requireRole } from "../memberships/require-role.ts";
import { type Client, clientNotFound } from "./application.ts";
import { readClient } from "./applications-store.ts";

/** The client of a request, and the person who makes the request. */
export interface RequestedClient {
  readonly client: Client;
  /** Undefined for an operator. */
  readonly actor: Actor | undefined;
}

/**
 * Returns the client of a request, if the person has a role in its sale.
 *
 * @throws ServiceError `not_found`, also for a person who is no member of the sale; `permission_denied`, `unauthenticated`
 */
export async function requestedClient(
  { database }: AuthContext,
  request: { readonly clientUuid: string },
  call: Pick<HandlerContext, "values">,
  needed: Role,
): Promise<RequestedClient> {
  const actor = requireActor(call);
  const clientUuid = request.clientUuid.toLowerCase();
  return database.read(async (query) => {
    const client = await readClient(query, clientUuid);
    if (client === undefined) throw clientNotFound(clientUuid);
    await requireRole(query, actor, client.saleUuid, needed, clientNotFound(clientUuid));
    return { client, actor };
  });
}
