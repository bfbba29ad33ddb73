import type { Peer } from "../../../proto/gen/tidemark/auth/v1/parameter_pb.ts";
import type { Actor } from "../../shared/rpc/identity/actor.ts";
import type { SecurityEvent } from "./audit-store.ts";

/** Who changes something about a sale, and from where. */
export interface Changer {
  /** Undefined for an operator. */
  readonly actor: Actor | undefined;
  readonly peer: Peer | undefined;
}

/** A security event of somebody who changes something about a sale; of that person where `event` names nobody else. */
export function founderEvent({ actor, peer }: Changer, event: SecurityEvent): SecurityEvent {
  const by = actor?.accountUuid ?? "operator";
  return { accountUuid: actor?.accountUuid, ...event, details: { ...event.details, by, address: peer?.address ?? "" } };
}
