import type { Kysely } from "kysely";
import { bytesOfHex } from "../../../common/platform/encoding/hex.ts";
import { uuidFromBytes } from "../../../common/platform/encoding/uuid.ts";
import { ServiceError } from "../../../common/platform/errors/service-error.ts";
import { bigintOf } from "../base/encoding.ts";
import type { Tx } from "../base/sale-rows.ts";
import type { CommitmentsSchema, WebhookEndpointTable } from "../base/schema.ts";
import type { Disabling, WebhookEndpoint } from "./webhook-endpoint.ts";

type Row = Omit<WebhookEndpointTable, "secret" | "previous_secret">;

/** The columns that can be shown. */
const SHOWN = [
  "endpoint",
  "sale",
  "url",
  "created_at_ms",
  "disabled_at_ms",
  "disabled_why",
  "failing_since_ms",
  "previous_until_ms",
] as const satisfies readonly (keyof Row)[];

/** Reads the endpoints of a sale, the oldest first. */
export async function readEndpoints(
  query: Kysely<CommitmentsSchema>,
  saleUuid: string,
): Promise<readonly WebhookEndpoint[]> {
  const rows = await query
    .selectFrom("webhook_endpoint")
    .select(SHOWN)
    .where("sale", "=", bytesOfHex(saleUuid))
    .orderBy("created_at_ms")
    .orderBy("endpoint")
    .execute();
  return rows.map(endpointOf);
}

/** @throws ServiceError `not_found` */
export async function readEndpoint(
  query: Kysely<CommitmentsSchema>,
  saleUuid: string,
  endpointUuid: string,
): Promise<WebhookEndpoint> {
  const row = await query
    .selectFrom("webhook_endpoint")
    .select(SHOWN)
    .where("endpoint", "=", bytesOfHex(endpointUuid))
    .where("sale", "=", bytesOfHex(saleUuid))
    .executeTakeFirst();
  if (row === undefined) throw new ServiceError("not_found", `the sale has no webhook ${endpointUuid}`);
  return endpointOf(row);
}

function endpointOf(row: Row): WebhookEndpoint {
  const { disabled_at_ms, disabled_why, failing_since_ms, previous_until_ms } = row;
  return {
    uuid: uuidFromBytes(row.endpoint),
    saleUuid: uuidFromBytes(row.sale),
    url: row.url,
    createdAtMillis: bigintOf(row.created_at_ms),
    ...(disabled_at_ms !== null && {
      disabled: { atMillis: bigintOf(disabled_at_ms), why: disabled_why as Disabling },
    }),
    ...(failing_since_ms !== null && { failingSinceMillis: bigintOf(failing_since_ms) }),
    ...(previous_until_ms !== null && { previousSecretUntilMillis: bigintOf(previous_until_ms) }),
  };
}

/** Inserts an enabled endpoint. @param secret wrapped */
export async function insertEndpoint(
  transaction: Tx,
  { uuid, saleUuid, url, createdAtMillis }: WebhookEndpoint,
  secret: Uint8Array,
): Promise<void> {
  const keys = { endpoint: bytesOfHex(uuid), sale: bytesOfHex(saleUuid) };
  const row = { ...keys, url, secret, created_at_ms: createdAtMillis };
  const nulls = { disabled_at_ms: null, disabled_why: null, failing_since_ms: null };
  const previous = { previous_secret: null, previous_until_ms: null };
  await transaction
    .insertInto("webhook_endpoint")
    .values({ ...row, ...nulls, ...previous })
    .execute();
}

/**
 * Replaces the secret of an endpoint; done again with the same one, it changes nothing.
 *
 * @param secret wrapped
 * @param untilMillis the end of the time in which the replaced one signs, too
 */
export async function replaceSecret(
  transaction: Tx,
  endpointUuid: string,
  secret: Uint8Array,
  untilMillis: bigint,
): Promise<void> {
  await transaction
    .updateTable("webhook_endpoint")
    // MySQL assigns from left to right: `previous_secret` comes first, and gets the value before.
    .set(({ ref }) => ({ previous_secret: ref("secret"), previous_until_ms: untilMillis, secret }))
    .where("endpoint", "=", bytesOfHex(endpointUuid))
    .where("secret", "<>", secret)
    .execute();
}

/** Enables an endpoint. It counts as healthy until an attempt fails. */
export async function enableEndpoint(transaction: Tx, endpointUuid: string): Promise<void> {
  await transaction
    .updateTable("webhook_endpoint")
    .set({ disabled_at_ms: null, disabled_why: null, failing_since_ms: null })
    .where("endpoint", "=", bytesOfHex(endpointUuid))
    .execute();
}

/**
 * Disables an endpoint, and gives up what waits for it.
 *
 * @returns false if it was disabled already, or is gone
 */
export async function disableEndpoint(
  transaction: Tx,
  endpointUuid: string,
  { atMillis, why }: NonNullable<WebhookEndpoint["disabled"]>,
): Promise<boolean> {
  const endpoint = bytesOfHex(endpointUuid);
  const { numUpdatedRows } = await transaction
    .updateTable("webhook_endpoint")
    .set({ disabled_at_ms: atMillis, disabled_why: why })
    .where("endpoint", "=", endpoint)
    .where("disabled_at_ms", "is", null)
    .executeTakeFirstOrThrow();
  if (numUpdatedRows === 0n) return false;
  await transaction
    .updateTable("webhook_delivery")
    .set({ status: "given_up" })
    .where("endpoint", "=", endpoint)
    .where("status", "=", "pending")
    .execute();
  return true;
}

/** Deletes an endpoint with its secrets and deliveries; with the last one also what its sale's endpoints were sent of faults. */
export async function deleteEndpoint(transaction: Tx, { uuid, saleUuid }: WebhookEndpoint): Promise<void> {
  const [endpoint, sale] = [bytesOfHex(uuid), bytesOfHex(saleUuid)];
  await transaction.deleteFrom("webhook_delivery").where("endpoint", "=", endpoint).execute();
  await transaction.deleteFrom("webhook_endpoint").where("endpoint", "=", endpoint).execute();
  const others = await transaction
    .selectFrom("webhook_endpoint")
    .select("endpoint")
    .where("sale", "=", sale)
    .executeTakeFirst();
  if (others === undefined) await transaction.deleteFrom("webhook_fault").where("sale", "=", sale).execute();
}

/** The tables about the webhooks of a sale. */
export const WEBHOOK_TABLES = [
  "webhook_delivery",
  "webhook_event",
  "webhook_endpoint",
  "webhook_fault",
  "webhook_replay",
] as const;

/** Deletes everything about the webhooks of a sale. Its row must be locked. */
export async function deleteWebhooks(transaction: Tx, saleUuid: string): Promise<void> {
  for (const table of WEBHOOK_TABLES) {
    await transaction.deleteFrom(table).where("sale", "=", bytesOfHex(saleUuid)).execute();
  }
}
