import { create } from "@bufbuild/protobuf";
import {
  type Passkey as PasskeyMessage,
  PasskeySchema,
} from "../../../proto/gen/tidemark/auth/v1/account_service_pb.ts";
import { timestampOf } from "../base/timestamp-message.ts";
import type { Passkey } from "./passkey.ts";

export function passkeyMessage({ createdAtMs, lastUsedAtMs, transports, ...passkey }: Passkey): PasskeyMessage {
  const { uuid, name, backupEligible, backedUp, aaguid, credentialId, counter } = passkey;
  return create(PasskeySchema, {
    uuid,
    name,
    backupEligible,
    backedUp,
    aaguid,
    credentialId,
    counter,
    createdAt: timestampOf(createdAtMs),
    ...(lastUsedAtMs !== undefined && { lastUsedAt: timestampOf(lastUsedAtMs) }),
    transports: [...transports],
  });
}
