import { type Kysely, sql, type Transaction } from "kysely";
import { type Wallet, walletColumn, walletKey, walletOfRow } from "../../../common/chains/wallet.ts";
import { maySignAsAccount } from "../../../common/chains/wallet-signatures.ts";
import { bytesOfHex } from "../../../common/platform/encoding/hex.ts";
import { uuidFromBytes } from "../../../common/platform/encoding/uuid.ts";
import type { EntitiesSchema } from "../base/schema.ts";
import type { WalletLinkTable } from "../base/wallet-tables.ts";
import { fromCountingLinks } from "./counting-links.ts";
import { EVERY_CHAIN, type ProofChain } from "./proof-chain.ts";
import { markProved } from "./sale-wallets-store.ts";

/** A wallet that a signature has linked to an entity. */
export interface WalletLink {
  readonly wallet: Wallet;
  /** Milliseconds since 1970. */
  readonly linkedAtMs: bigint;
  /**
   * Where the link counts, ascending. One of a version that didn't note how it was proved counts everywhere if only a key can have done
   * so, else nowhere.
   */
  readonly chains: readonly ProofChain[];
}

/** A wallet of an entity. */
interface EntityWallet {
  readonly entityUuid: string;
  readonly wallet: Wallet;
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
  const proofs = await query
    .selectFrom("wallet_proof")
    .select(["kind", "wallet", "chain_id", "proved_at_ms"])
    .where("entity", "=", bytesOfHex(entityUuid))
    .orderBy("chain_id")
    .execute();
  const byWallet = Map.groupBy(proofs, (proof) => walletKey(walletOfRow(proof)));
  return rows.map((row) => {
    const wallet = walletOfRow(row);
    const linkedAtMs = BigInt(row.linked_at_ms);
    const counting = (byWallet.get(walletKey(wallet)) ?? []).filter(
      ({ proved_at_ms }) => BigInt(proved_at_ms) >= linkedAtMs,
    );
    const chains = counting.map(({ chain_id }) => BigInt(chain_id));
    return { wallet, linkedAtMs, chains: maySignAsAccount(wallet) ? chains : [EVERY_CHAIN] };
  });
}

/**
 * Returns the UUIDs of the entities to which a wallet is linked by a proof that counts in a sale.
 *
 * @param chainId the EIP-155 ID of the sale's chain; undefined if it isn't known
 */
export async function readLinkedEntities(
  query: Kysely<EntitiesSchema>,
  wallet: Wallet,
  chainId: bigint | undefined,
): Promise<readonly string[]> {
  const links = sql.raw(fromCountingLinks(chainId));
  const { rows } = await sql<Pick<WalletLinkTable, "entity">>`select distinct wallet_link.entity ${links}
    and wallet_link.wallet = ${walletColumn(wallet)} and wallet_link.kind = ${wallet.kind}`.execute(query);
  return rows.map(({ entity }) => uuidFromBytes(entity));
}

/**
 * Links a wallet, unless it is linked already, and notes where the proof counts. In the sales there in which a permit has bound it to
 * the entity, it counts as proved from then on. The caller has locked the entity.
 */
export async function linkWallet(
  transaction: Transaction<EntitiesSchema>,
  { entityUuid, wallet }: EntityWallet,
  chain: ProofChain,
  nowMs: bigint,
): Promise<void> {
  await markProved(transaction, { entityUuid, wallet, chain }, nowMs);
  const links = await readWalletLinks(transaction, entityUuid);
  const existing = links.find((link) => walletKey(link.wallet) === walletKey(wallet));
  const row = { entity: bytesOfHex(entityUuid), kind: wallet.kind, wallet: walletColumn(wallet) };
  if (existing === undefined) {
    await transaction
      .insertInto("wallet_link")
      .values({ ...row, linked_at_ms: nowMs })
      .execute();
  }
  const chains = existing?.chains ?? [];
  if (chains.includes(EVERY_CHAIN) || chains.includes(chain)) return;
  // What counts everywhere makes the others superfluous, and what doesn't count is left of an earlier link.
  await deleteProofs(transaction, { entityUuid, wallet }, chain === EVERY_CHAIN ? [] : chains);
  // Clocks of several processes may differ, and a proof that is older than the link wouldn't count.
  const earliest = existing?.linkedAtMs ?? nowMs;
  await transaction
    .insertInto("wallet_proof")
    .values({ ...row, chain_id: chain, proved_at_ms: nowMs < earliest ? earliest : nowMs })
    .execute();
}

/** Removes a link. Where a permit has bound the wallet, it stays bound and proved. @returns whether there was one */
export async function unlinkWallet(
  transaction: Transaction<EntitiesSchema>,
  entityUuid: string,
  wallet: Wallet,
  nowMs: bigint,
): Promise<boolean> {
  const links = await readWalletLinks(transaction, entityUuid);
  const { chains = [] } = links.find((link) => walletKey(link.wallet) === walletKey(wallet)) ?? {};
  const { numDeletedRows } = await transaction
    .deleteFrom("wallet_link")
    .where("entity", "=", bytesOfHex(entityUuid))
    .where("kind", "=", wallet.kind)
    .where("wallet", "=", walletColumn(wallet))
    .executeTakeFirst();
  if (numDeletedRows === 0n) return false;
  for (const chain of chains) await markProved(transaction, { entityUuid, wallet, chain }, nowMs);
  await deleteProofs(transaction, { entityUuid, wallet });
  return true;
}

/** @param kept the chains whose proofs stay */
async function deleteProofs(
  transaction: Transaction<EntitiesSchema>,
  { entityUuid, wallet }: EntityWallet,
  kept: readonly ProofChain[] = [],
): Promise<void> {
  const proofs = transaction
    .deleteFrom("wallet_proof")
    .where("entity", "=", bytesOfHex(entityUuid))
    .where("kind", "=", wallet.kind)
    .where("wallet", "=", walletColumn(wallet));
  await (kept.length === 0 ? proofs : proofs.where("chain_id", "not in", kept)).execute();
}

/** Removes all links of an entity that is being deleted, also proofs without one, and the texts that were given out for it. */
export async function eraseWallets(
  transaction: Transaction<EntitiesSchema>,
  entityUuid: string,
  nowMs: bigint,
): Promise<void> {
  for (const { wallet } of await readWalletLinks(transaction, entityUuid)) {
    await unlinkWallet(transaction, entityUuid, wallet, nowMs);
  }
  await transaction.deleteFrom("wallet_proof").where("entity", "=", bytesOfHex(entityUuid)).execute();
  await transaction.deleteFrom("wallet_challenge").where("entity", "=", bytesOfHex(entityUuid)).execute();
}
