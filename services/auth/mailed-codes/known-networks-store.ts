import { type Kysely, sql, type Transaction } from "kysely";
import type { ExpiredRows } from "../../../common/platform/db/expired-rows.ts";
import type { SqlDialect } from "../../../common/platform/db/sql/dialect.ts";
import { bytesOfHex } from "../../../common/platform/encoding/hex.ts";
import { rateLimitAddress } from "../../../common/platform/outbound/rate-limit-address.ts";
import { macOf } from "../../../common/platform/secrets/mac.ts";
import { KNOWN_NETWORK_MS } from "../base/lifetimes.ts";
import type { AuthSchema } from "../base/schema.ts";

/**
 * Returns the HMAC under which an e-mail address is known in a network: an IPv4 address or an IPv6 /64.
 *
 * @param key `DerivedKeys.counters`
 * @param address the network address of the browser
 */
export function networkMac(key: Uint8Array, email: string, address: string): Buffer {
  return macOf(key, "known network", email, rateLimitAddress(address));
}

/**
 * Whether somebody has signed in to an e-mail address from a network in the last 90 days.
 *
 * @param networks `networkMac` by the present key, and by the other one if there is one
 */
export async function isKnownNetwork(
  query: Kysely<AuthSchema>,
  networks: readonly Buffer[],
  nowMs: bigint,
): Promise<boolean> {
  const row = await query
    .selectFrom("known_network")
    .select("network")
    .where("network", "in", networks)
    .where("signed_in_at_ms", ">", nowMs - KNOWN_NETWORK_MS)
    .executeTakeFirst();
  return row !== undefined;
}

/** Stores that a person has signed in from a network. */
export async function storeKnownNetwork(
  transaction: Transaction<AuthSchema>,
  dialect: SqlDialect,
  { network, accountUuid }: { readonly network: Buffer; readonly accountUuid: string },
  nowMs: bigint,
): Promise<void> {
  await transaction
    .insertInto("known_network")
    .values({ network, account: bytesOfHex(accountUuid), signed_in_at_ms: nowMs })
    .modifyEnd(sql.raw(dialect.upsertClause(["network"], ["account", "signed_in_at_ms"])))
    .execute();
}

/** Deletes the networks of an account, for example because its address changes. */
export async function deleteKnownNetworks(transaction: Transaction<AuthSchema>, accountUuid: string): Promise<void> {
  await transaction.deleteFrom("known_network").where("account", "=", bytesOfHex(accountUuid)).execute();
}

export function expiredKnownNetworks(nowMs: bigint): ExpiredRows {
  return { table: "known_network", ageColumn: "signed_in_at_ms", cutoff: nowMs - KNOWN_NETWORK_MS };
}
