import { bytesOfHex } from "../../../shared/encoding/hex.ts";
import { uuidFromBytes } from "../../../shared/encoding/uuid.ts";
import { bigintOf } from "../sql/encoding.ts";
import type { CommitmentsDatabase } from "../sql/schema.ts";

/** A delivery whose next attempt is due, with what the attempt needs. */
export interface DueDelivery {
  readonly endpointUuid: string;
  readonly eventUuid: string;
  readonly saleUuid: string;
  readonly url: string;
  readonly body: string;
  /** The wrapped secrets that sign, the present one first. */
  readonly secrets: readonly Uint8Array[];
  /** Attempts so far. */
  readonly attempts: number;
  /** Milliseconds since 1970. */
  readonly giveUpAtMillis: bigint;
}

/**
 * Reads deliveries that are due, the earliest first.
 *
 * @param options.except UUIDs of endpoints whose deliveries are left out
 */
export async function readDueDeliveries(
  database: CommitmentsDatabase,
  { nowMillis, limit, except }: { nowMillis: bigint; limit: number; except: readonly string[] },
): Promise<readonly DueDelivery[]> {
  const rows = await database.read((connection) => {
    const due = connection
      .selectFrom("webhook_delivery")
      .innerJoin("webhook_endpoint", "webhook_endpoint.endpoint", "webhook_delivery.endpoint")
      .innerJoin("webhook_event", "webhook_event.event", "webhook_delivery.event")
      .selectAll("webhook_delivery")
      .select(["url", "secret", "previous_secret", "previous_until_ms", "body"])
      .where("status", "=", "pending")
      .where("next_attempt_ms", "<=", nowMillis)
      .orderBy("next_attempt_ms")
      .orderBy("event_at_ms")
      .limit(limit);
    return except.length === 0
      ? due.execute()
      : due.where("webhook_delivery.endpoint", "not in", except.map(bytesOfHex)).execute();
  });
  return rows.map(({ secret, previous_secret, previous_until_ms, ...row }) => {
    const signsToo = previous_until_ms !== null && bigintOf(previous_until_ms) > nowMillis;
    return {
      endpointUuid: uuidFromBytes(row.endpoint),
      eventUuid: uuidFromBytes(row.event),
      saleUuid: uuidFromBytes(row.sale),
      url: row.url,
      body: row.body,
      secrets: previous_secret !== null && signsToo ? [secret, previous_secret] : [secret],
      attempts: Number(row.attempts),
      giveUpAtMillis: bigintOf(row.give_up_at_ms),
    };
  });
}
