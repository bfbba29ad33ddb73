import type { Actor } from "../../../common/platform/rpc/identity/actor.ts";
import type { Peer } from "../../../proto/gen/tidemark/auth/v1/parameter_pb.ts";
import type { SecurityEvent } from "./audit-store.ts";

/** The author of a change to a sale, with the browser that it came from. */
export interface Changer {
  /** Undefined for an operator. */
  readonly actor: Actor | undefined;
  readonly peer: Peer | undefined;
}

/** A security event with the author of the change in its details. Unless `event` names an account, it is the author's. */
export function founderEvent({ actor, peer }: Changer, event: SecurityEvent): SecurityEvent {
  const by = actor?.accountUuid ?? "operator";
  return { accountUuid: actor?.accountUuid, ...event, details: { ...event.details, by, address: peer?.address ?? "" } };
}
