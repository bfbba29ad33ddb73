import { sql } from "kysely";
import { executeBatch } from "../../../common/platform/db/sql/statement-batch.ts";
import { bytesOfHex } from "../../../common/platform/encoding/hex.ts";
import { uuidFromBytes } from "../../../common/platform/encoding/uuid.ts";
import { bigintOf } from "../base/encoding.ts";
import type { CommitmentsDatabase } from "../base/schema.ts";
import type { DeliveryStatus } from "./delivery-rows.ts";

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

/** An endpoint for which a delivery is due. */
export interface DueEndpoint {
  readonly endpointUuid: string;
  /** The name of its host, without the port. */
  readonly host: string;
  /** The owner of its sale: the UUID of an account, or of the sale itself if that has no owner. */
  readonly founder: string;
}

/**
 * Reads the endpoints for which a delivery is due, the one that has waited longest first. All of them: a few hundred bytes each, for at
 * most five a sale, so that no backlog hides another one. One message to the database.
 *
 * @param nowMillis undefined: the time of the database
 * @returns undefined while there is no endpoint at all
 */
export async function readDueEndpoints(
  database: CommitmentsDatabase,
  nowMillis: bigint | undefined,
): Promise<readonly DueEndpoint[] | undefined> {
  const { query, dialect } = database;
  const due = sql<{ endpoint: Uint8Array; url: string; founder: Uint8Array }>`
      select endpoint, url, founder from (
        select webhook_endpoint.endpoint, url, coalesce(owner, webhook_endpoint.sale) as founder,
          (select min(next_attempt_ms) from webhook_delivery
           where webhook_delivery.endpoint = webhook_endpoint.endpoint and status = 'pending') as due_ms
        from webhook_endpoint left join sale on sale.sale = webhook_endpoint.sale
      ) as waiting where due_ms <= ${nowMillis ?? dialect.nowMillis} order by due_ms, endpoint`.compile(query);
  const any = query.selectFrom("webhook_endpoint").select("endpoint").limit(1).compile();
  const [{ rows }, some] = await database.read((connection) => executeBatch(connection, dialect, [due, any]));
  if (some.rows.length === 0) return undefined;
  return rows.map(({ endpoint, url, founder }) => ({
    endpointUuid: uuidFromBytes(endpoint),
    host: (URL.parse(url)?.hostname ?? "").replace(/\.$/, ""),
    founder: uuidFromBytes(founder),
  }));
}

/** Reads the delivery to an endpoint that has been due for longest. @returns undefined if none is */
export async function readDueDelivery(
  database: CommitmentsDatabase,
  endpointUuid: string,
  nowMillis: bigint,
): Promise<DueDelivery | undefined> {
  const found = await database.read((connection) =>
    connection
      .selectFrom("webhook_delivery")
      .innerJoin("webhook_endpoint", "webhook_endpoint.endpoint", "webhook_delivery.endpoint")
      .innerJoin("webhook_event", "webhook_event.event", "webhook_delivery.event")
      .selectAll("webhook_delivery")
      .select(["url", "secret", "previous_secret", "previous_until_ms", "body"])
      .where("webhook_delivery.endpoint", "=", bytesOfHex(endpointUuid))
      .where("status", "=", "pending")
      .where("next_attempt_ms", "<=", nowMillis)
      .orderBy("next_attempt_ms")
      .orderBy("event_at_ms")
      .limit(1)
      .executeTakeFirst(),
  );
  if (found === undefined) return undefined;
  const { secret, previous_secret, previous_until_ms, ...row } = found;
  const signsToo = previous_until_ms !== null && bigintOf(previous_until_ms) > nowMillis;
  return {
    endpointUuid,
    eventUuid: uuidFromBytes(row.event),
    saleUuid: uuidFromBytes(row.sale),
    url: row.url,
    body: row.body,
    secrets: previous_secret !== null && signsToo ? [secret, previous_secret] : [secret],
    attempts: Number(row.attempts),
    giveUpAtMillis: bigintOf(row.give_up_at_ms),
  };
}

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
