import type { Kysely, Transaction } from "kysely";
import { type Wallet, walletColumn, walletKey, walletOfRow } from "../../../common/chains/wallet.ts";
import { bytesOfHex } from "../../../common/platform/encoding/hex.ts";
import { uuidFromBytes } from "../../../common/platform/encoding/uuid.ts";
import type { EntitiesSchema } from "../base/schema.ts";
import { markProved } from "./sale-wallets-store.ts";

/** A wallet that a signature has linked to an entity. */
export interface WalletLink {
  readonly wallet: Wallet;
  /** Milliseconds since 1970. */
  readonly linkedAtMs: bigint;
}

/** Returns the wallets that are linked to an entity, the earliest first. */
export async function readWalletLinks(
  query: Kysely<EntitiesSchema>,
  entityUuid: string,
): Promise<readonly WalletLink[]> {
  const rows = await query
    .selectFrom("wallet_link")
    .selectAll()
    .where("entity", "=", bytesOfHex(entityUuid))
    .orderBy("linked_at_ms")
    .orderBy("wallet")
    .execute();
  return rows.map((row) => ({ wallet: walletOfRow(row), linkedAtMs: BigInt(row.linked_at_ms) }));
}

/** Returns the UUIDs of the entities to which a wallet is linked. */
export async function readLinkedEntities(query: Kysely<EntitiesSchema>, wallet: Wallet): Promise<readonly string[]> {
  const rows = await query
    .selectFrom("wallet_link")
    .select("entity")
    .where("wallet", "=", walletColumn(wallet))
    .where("kind", "=", wallet.kind)
    .execute();
  return rows.map(({ entity }) => uuidFromBytes(entity));
}

/**
 * Links a wallet, unless it is linked already. In the sales in which a permit has bound it to the entity, it counts as proved
 * from then on. The caller has locked the entity.
 *
 * @returns the link
 */
export async function linkWallet(
  transaction: Transaction<EntitiesSchema>,
  entityUuid: string,
  wallet: Wallet,
  nowMs: bigint,
): Promise<WalletLink> {
  await markProved(transaction, entityUuid, wallet, nowMs);
  const links = await readWalletLinks(transaction, entityUuid);
  const existing = links.find((link) => walletKey(link.wallet) === walletKey(wallet));
  if (existing !== undefined) return existing;
  await transaction
    .insertInto("wallet_link")
    .values({ entity: bytesOfHex(entityUuid), kind: wallet.kind, wallet: walletColumn(wallet), linked_at_ms: nowMs })
    .execute();
  return { wallet, linkedAtMs: nowMs };
}

/** Removes a link. Where a permit has bound the wallet, it stays bound and proved. @returns whether there was one */
export async function unlinkWallet(
  transaction: Transaction<EntitiesSchema>,
  entityUuid: string,
  wallet: Wallet,
  nowMs: bigint,
): Promise<boolean> {
  const { numDeletedRows } = await transaction
    .deleteFrom("wallet_link")
    .where("entity", "=", bytesOfHex(entityUuid))
    .where("kind", "=", wallet.kind)
    .where("wallet", "=", walletColumn(wallet))
    .executeTakeFirst();
  if (numDeletedRows === 0n) return false;
  await markProved(transaction, entityUuid, wallet, nowMs);
  return true;
}

/** Removes all links of an entity that is being deleted, and the texts that were given out for it. */
export async function eraseWallets(
  transaction: Transaction<EntitiesSchema>,
  entityUuid: string,
  nowMs: bigint,
): Promise<void> {
  for (const { wallet } of await readWalletLinks(transaction, entityUuid)) {
    await unlinkWallet(transaction, entityUuid, wallet, nowMs);
  }
  await transaction.deleteFrom("wallet_challenge").where("entity", "=", bytesOfHex(entityUuid)).execute();
}
