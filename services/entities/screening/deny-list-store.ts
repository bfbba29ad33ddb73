import type { Kysely } from "kysely";
import { type Wallet, walletColumn } from "../../../common/chains/wallet.ts";
import { bytesOfHex } from "../../../common/platform/encoding/hex.ts";
import type { EntitiesSchema } from "../base/schema.ts";

/** Whether a wallet is on the deny list of a sale. */
export async function isDenied(query: Kysely<EntitiesSchema>, saleUuid: string, wallet: Wallet): Promise<boolean> {
  const row = await query
    .selectFrom("denied_wallet")
    .select("wallet")
    .where("sale", "=", bytesOfHex(saleUuid))
    .where("wallet", "=", walletColumn(wallet))
    .executeTakeFirst();
  return row !== undefined;
}
