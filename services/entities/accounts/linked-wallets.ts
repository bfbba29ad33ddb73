import { create } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import type { Kysely } from "kysely";
import { formatWallet, walletKey } from "../../../common/chains/wallet.ts";
import { WALLET_KINDS } from "../../../common/sale/definition/wallet-kind.ts";
import { type LinkedWallet, LinkedWalletSchema } from "../../../proto/gen/tidemark/entities/v1/entity_pb.ts";
import type { EntitiesSchema } from "../base/schema.ts";
import { EVERY_CHAIN } from "../wallets/proof-chain.ts";
import { readBoundSales } from "../wallets/sale-wallets-store.ts";
import { readWalletLinks } from "../wallets/wallet-links-store.ts";

/** Returns the wallets that are linked to an entity, the earliest first, with the sales in which each is bound to it. */
export async function linkedWallets(
  query: Kysely<EntitiesSchema>,
  entityUuid: string,
): Promise<readonly LinkedWallet[]> {
  const bound = await readBoundSales(query, entityUuid);
  const links = await readWalletLinks(query, entityUuid);
  return links.map(({ wallet, linkedAtMs, chains }) =>
    create(LinkedWalletSchema, {
      kind: WALLET_KINDS[wallet.kind],
      address: formatWallet(wallet),
      linkedAt: timestampFromMs(Number(linkedAtMs)),
      countsEverywhere: chains.includes(EVERY_CHAIN),
      chainIds: chains.filter((chain) => chain !== EVERY_CHAIN),
      boundSaleUuids: bound
        .filter((each) => walletKey(each.wallet) === walletKey(wallet))
        .map(({ saleUuid }) => saleUuid),
    }),
  );
}
