import { type Timestamp, timestampMs } from "@bufbuild/protobuf/wkt";
import type { Actor } from "../../shared/rpc/identity/actor.ts";

/** The person for whom the commitments service asks, by the fields of its request; undefined for an operator. */
export function namedActor(request: {
  readonly accountUuid: string;
  readonly authenticatedAt?: Timestamp | undefined;
}): Actor | undefined {
  const { accountUuid, authenticatedAt } = request;
  if (accountUuid === "") return undefined;
  // Without a time the sign-in is as old as can be.
  const authenticatedAtMs = authenticatedAt === undefined ? 0n : BigInt(timestampMs(authenticatedAt));
  return { accountUuid: accountUuid.toLowerCase(), authenticatedAtMs };
}
