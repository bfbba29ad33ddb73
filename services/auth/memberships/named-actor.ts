import { type Timestamp, timestampMs } from "@bufbuild/protobuf/wkt";
import type { Actor } from "../../../common/platform/rpc/identity/actor.ts";
import { AuthenticationMethod } from "../../../proto/gen/tidemark/auth/v1/account_service_pb.ts";

/** The person for whom the commitments service asks, by the fields of its request; undefined for an operator. */
export function namedActor(request: {
  readonly accountUuid: string;
  readonly authenticatedAt?: Timestamp | undefined;
  readonly authenticatedBy: AuthenticationMethod;
}): Actor | undefined {
  const { accountUuid, authenticatedAt, authenticatedBy } = request;
  if (accountUuid === "") return undefined;
  // Without a time the sign-in is as old as can be.
  const authenticatedAtMs = authenticatedAt === undefined ? 0n : BigInt(timestampMs(authenticatedAt));
  return {
    accountUuid: accountUuid.toLowerCase(),
    authenticatedAtMs,
    authenticatedBy: methodOfMessage(authenticatedBy),
  };
}

/** Reads how a person signed in. A caller of a version before doesn't say it: then it counts as a code. */
export function methodOfMessage(method: AuthenticationMethod): NonNullable<Actor["authenticatedBy"]> {
  return method === AuthenticationMethod.PASSKEY ? "passkey" : "code";
}
