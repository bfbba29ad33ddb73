import { create } from "@bufbuild/protobuf";
import {
  type Recovery as RecoveryMessage,
  RecoverySchema,
} from "../../../proto/gen/tidemark/auth/v1/account_service_pb.ts";
import { timestampOf } from "../base/timestamp-message.ts";
import { type Recovery, recoveryState } from "./recovery.ts";

/** Returns the message about a recovery; undefined for one that has expired. */
export function recoveryMessage(recovery: Recovery | undefined, nowMs: bigint): RecoveryMessage | undefined {
  if (recovery === undefined) return undefined;
  const state = recoveryState(recovery, nowMs);
  if (state === "expired") return undefined;
  return create(RecoverySchema, {
    uuid: recovery.uuid,
    begunAt: timestampOf(recovery.begunAtMs),
    readyAt: timestampOf(recovery.readyAtMs),
    expiresAt: timestampOf(recovery.expiresAtMs),
    ready: state === "ready",
    byOperator: recovery.byOperator,
  });
}
