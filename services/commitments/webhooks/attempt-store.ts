import { bytesOfHex } from "../../../common/platform/encoding/hex.ts";
import { bigintOf } from "../base/encoding.ts";
import type { CommitmentsDatabase } from "../base/schema.ts";
import type { DeliveryStatus } from "./delivery-rows.ts";
import type { DueDelivery } from "./due-deliveries-store.ts";

/** The result of an attempt. */
export interface StoredAttempt {
  readonly status: DeliveryStatus;
  /** Milliseconds since 1970. */
  readonly atMillis: bigint;
  /** Only if it is pending still. */
  readonly nextAttemptMillis?: bigint | undefined;
  /** Absent if there was no answer. */
  readonly httpStatus?: number | undefined;
  /** Why there was no answer. */
  readonly failure?: string | undefined;
}

/**
 * Stores the result of an attempt, unless another process has stored one for it, or somebody has disabled or deleted its endpoint
 * meanwhile.
 *
 * @returns the time since which the endpoint has failed, in milliseconds since 1970; undefined after a success, and if nothing was stored
 */
export async function storeAttempt(
  database: CommitmentsDatabase,
  { endpointUuid, eventUuid, attempts }: DueDelivery,
  attempt: StoredAttempt,
): Promise<bigint | undefined> {
  const [endpoint, event] = [bytesOfHex(endpointUuid), bytesOfHex(eventUuid)];
  const { status, atMillis, nextAttemptMillis = atMillis, httpStatus = null, failure = null } = attempt;
  return database.write(async (transaction) => {
    const { numUpdatedRows } = await transaction
      .updateTable("webhook_delivery")
      .set({ status, attempts: attempts + 1, next_attempt_ms: nextAttemptMillis, last_attempt_ms: atMillis })
      .set({ last_http_status: httpStatus, last_failure: failure })
      .where("endpoint", "=", endpoint)
      .where("event", "=", event)
      .where("status", "=", "pending")
      .where("attempts", "=", attempts)
      .executeTakeFirstOrThrow();
    if (numUpdatedRows === 0n) return undefined;
    const row = transaction.updateTable("webhook_endpoint").where("endpoint", "=", endpoint);
    if (status === "delivered") {
      await row.set({ failing_since_ms: null }).where("failing_since_ms", "is not", null).execute();
      return undefined;
    }
    await row.set({ failing_since_ms: atMillis }).where("failing_since_ms", "is", null).execute();
    const found = await transaction
      .selectFrom("webhook_endpoint")
      .select("failing_since_ms")
      .where("endpoint", "=", endpoint)
      .executeTakeFirst();
    return bigintOf(found?.failing_since_ms ?? atMillis);
  });
}
