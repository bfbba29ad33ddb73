import { create } from "@bufbuild/protobuf";
import type { SignatureAlgorithm } from "../../../common/platform/jwt/signature-algorithm.ts";
import { KeyStatus, type SigningKey, SigningKeySchema } from "../../../proto/gen/tidemark/auth/v1/key_service_pb.ts";
import { timestampOf } from "../base/timestamp-message.ts";
import type { ScheduledKey } from "./key-schedule.ts";

const STATUS: Readonly<Record<ScheduledKey["status"], KeyStatus>> = {
  next: KeyStatus.NEXT,
  active: KeyStatus.ACTIVE,
  retired: KeyStatus.RETIRED,
};

/** Encodes keys of both algorithms, those of ES256 first. */
export function keyMessages(keys: readonly ScheduledKey[], rsaKeys: readonly ScheduledKey[]): SigningKey[] {
  return [...keys.map((key) => keyMessage(key, "ES256")), ...rsaKeys.map((key) => keyMessage(key, "RS256"))];
}

function keyMessage(
  { keyId, status, createdAtMs, activatedAtMs, retiredAtMs }: ScheduledKey,
  algorithm: SignatureAlgorithm,
): SigningKey {
  return create(SigningKeySchema, {
    keyId,
    algorithm,
    status: STATUS[status],
    createdAt: timestampOf(createdAtMs),
    ...(activatedAtMs === undefined ? {} : { activatedAt: timestampOf(activatedAtMs) }),
    ...(retiredAtMs === undefined ? {} : { retiredAt: timestampOf(retiredAtMs) }),
  });
}
