import { create } from "@bufbuild/protobuf";
import { type Timestamp, timestampFromMs } from "@bufbuild/protobuf/wkt";
import {
  type Account as AccountMessage,
  AccountSchema,
  type Session as SessionMessage,
  SessionSchema,
} from "../../../proto/gen/tidemark/auth/v1/account_service_pb.ts";
import type { Account } from "../accounts/account.ts";
import type { Session } from "./session.ts";

export function accountMessage({ uuid, email, createdAtMs }: Account): AccountMessage {
  return create(AccountSchema, { uuid, email, createdAt: timestampOf(createdAtMs) });
}

/** @param current the session that asks. */
export function sessionMessage(session: Session, current: Session): SessionMessage {
  return create(SessionSchema, {
    uuid: session.uuid,
    authenticatedAt: timestampOf(session.authenticatedAtMs),
    lastSeenAt: timestampOf(session.lastSeenAtMs),
    expiresAt: timestampOf(session.expiresAtMs),
    userAgent: session.userAgent,
    current: session.uuid === current.uuid,
  });
}

/** @param atMs milliseconds since 1970, which a number holds exactly. */
export function timestampOf(atMs: bigint): Timestamp {
  return timestampFromMs(Number(atMs));
}
