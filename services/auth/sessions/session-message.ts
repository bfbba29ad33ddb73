import { create } from "@bufbuild/protobuf";
import {
  AuthenticationMethod,
  type Session as SessionMessage,
  SessionSchema,
} from "../../../proto/gen/tidemark/auth/v1/account_service_pb.ts";
import { timestampOf } from "../base/timestamp-message.ts";
import type { Session } from "./session.ts";

const METHODS = { code: AuthenticationMethod.CODE, passkey: AuthenticationMethod.PASSKEY } as const;

/** @param current the session that makes the request. */
export function sessionMessage(session: Session, current: Session): SessionMessage {
  return create(SessionSchema, {
    uuid: session.uuid,
    authenticatedAt: timestampOf(session.authenticatedAtMs),
    lastSeenAt: timestampOf(session.lastSeenAtMs),
    expiresAt: timestampOf(session.expiresAtMs),
    userAgent: session.userAgent,
    current: session.uuid === current.uuid,
    authenticatedBy: METHODS[session.authenticatedBy],
  });
}
