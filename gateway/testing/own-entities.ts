import type { CallOptions } from "@connectrpc/connect";
import { ACTOR_HEADER } from "../../common/platform/rpc/identity/actor.ts";
import { ENTITIES_AUDIENCE } from "../../common/platform/rpc/identity/audiences.ts";
import type { Entity } from "../../services/entities/base/entity.ts";
import { storeEntity } from "../../services/entities/testing/sample-entity.ts";
import { USER } from "../../test/support/processes/auth-in-process.ts";
import type { FullGateway } from "./auth-gateway.ts";

/** Stores an entity of a person: one whose set-up hasn't begun by default. */
export async function addEntity(
  { auth, entities }: FullGateway,
  given: Partial<Entity> = {},
  email = USER,
): Promise<Entity> {
  const sessionToken = await auth.signIn({ email });
  const { account } = await auth.as("gateway").accounts.getSession({ sessionToken });
  return storeEntity(entities.context.database, { accountUuid: account?.uuid ?? "", label: "Alice Harbour", ...given });
}

/** Returns the options of calls of the entities service for a person. */
export async function atEntities({ auth }: FullGateway, email = USER): Promise<CallOptions> {
  const sessionToken = await auth.signIn({ email });
  const request = { sessionToken, audience: ENTITIES_AUDIENCE };
  const { actorToken } = await auth.as("gateway").accounts.issueActorToken(request);
  return { headers: { [ACTOR_HEADER]: actorToken } };
}
