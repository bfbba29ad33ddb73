import { create } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { KeyStatus, type SigningKey, SigningKeySchema } from "../../../proto/gen/tidemark/auth/v1/key_service_pb.ts";
import type { ScheduledKey } from "./key-schedule.ts";

const STATUS: Readonly<Record<ScheduledKey["status"], KeyStatus>> = {
  next: KeyStatus.NEXT,
  active: KeyStatus.ACTIVE,
  retired: KeyStatus.RETIRED,
};

export function keyMessage({ keyId, status, createdAtMs, activatedAtMs, retiredAtMs }: ScheduledKey): SigningKey {
  return create(SigningKeySchema, {
    keyId,
    status: STATUS[status],
    createdAt: timestamp(createdAtMs),
    ...(activatedAtMs === undefined ? {} : { activatedAt: timestamp(activatedAtMs) }),
    ...(retiredAtMs === undefined ? {} : { retiredAt: timestamp(retiredAtMs) }),
  });
}

function timestamp(timeMs: bigint) {
  return timestampFromMs(Number(timeMs));
}
