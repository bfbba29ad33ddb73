import type { Kysely } from "kysely";
import { type Wallet, walletOfRow } from "../../../common/chains/wallet.ts";
import { bytesOfHex } from "../../../common/platform/encoding/hex.ts";
import { uuidFromBytes } from "../../../common/platform/encoding/uuid.ts";
import type { EntitiesSchema } from "../base/schema.ts";

/** A wallet that permits have bound in a sale. */
export interface BoundWallet {
  readonly saleUuid: string;
  readonly wallet: Wallet;
}

/**
 * Returns wallets in sales that are bound to one entity and linked to another, of which one is the given one. Whether the link counts in
 * the sale isn't said.
 */
export async function readDisputedWallets(
  query: Kysely<EntitiesSchema>,
  entityUuid: string,
  limit: number,
): Promise<readonly BoundWallet[]> {
  const entity = bytesOfHex(entityUuid);
  const disputed = query
    .selectFrom("wallet_link")
    .innerJoin("sale_wallet", (join) =>
      join
        .onRef("sale_wallet.wallet", "=", "wallet_link.wallet")
        .onRef("sale_wallet.kind", "=", "wallet_link.kind")
        .onRef("sale_wallet.entity", "!=", "wallet_link.entity"),
    )
    .select(["sale_wallet.sale", "sale_wallet.wallet", "sale_wallet.kind"])
    .distinct()
    .limit(limit);
  // Two statements, since an index serves each.
  const claimed = await disputed.where("wallet_link.entity", "=", entity).execute();
  const held = await disputed.where("sale_wallet.entity", "=", entity).execute();
  return [...claimed, ...held]
    .slice(0, limit)
    .map((row) => ({ saleUuid: uuidFromBytes(row.sale), wallet: walletOfRow(row) }));
}
