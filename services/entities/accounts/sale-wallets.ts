import { create } from "@bufbuild/protobuf";
import type { Kysely } from "kysely";
import { formatWallet } from "../../../common/chains/wallet.ts";
import { type SaleWallet, SaleWalletSchema } from "../../../proto/gen/tidemark/entities/v1/entity_service_pb.ts";
import type { EntitiesSchema } from "../base/schema.ts";
import { readWalletsInSales } from "../wallets/sale-wallets-store.ts";

/** Returns the wallets that permits have bound to entities in sales, the latest first, as their person may read them. */
export async function saleWallets(
  query: Kysely<EntitiesSchema>,
  entityUuids: readonly string[],
  limit: number,
): Promise<readonly SaleWallet[]> {
  const found = await readWalletsInSales(query, entityUuids, limit);
  return found.map(({ wallet, ...key }) => create(SaleWalletSchema, { ...key, wallet: formatWallet(wallet) }));
}
