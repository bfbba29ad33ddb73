import { bytesOfHex } from "../../../common/platform/encoding/hex.ts";
import { uuidFromBytes } from "../../../common/platform/encoding/uuid.ts";
import { ALL_FILLED } from "../base/domain/sale-state.ts";
import type { CommitmentsDatabase } from "../base/schema.ts";

/** Returns the sales that lack rows by wallet, or have lost track of them. */
export async function unfilledSales(database: CommitmentsDatabase): Promise<readonly string[]> {
  const rows = await database.read((connection) =>
    connection
      .selectFrom("sale_state")
      .select("sale")
      .where((where) =>
        where.or([
          where("wallets_filled_to", "is", null),
          where("wallets_filled_to", "!=", bytesOfHex(ALL_FILLED)),
          where("write_token", "is", null),
          where("wallets_token", "is", null),
          where("write_token", "!=", where.ref("wallets_token")),
        ]),
      )
      .execute(),
  );
  return rows.map(({ sale }) => uuidFromBytes(sale));
}
