import type { SqlDialect } from "../../../common/platform/db/sql/dialect.ts";
import { bytesOfHex, hexOfBytes } from "../../../common/platform/encoding/hex.ts";
import { ALL_FILLED, type SaleState } from "../base/domain/sale-state.ts";
import { walletsOfText } from "../base/encoding.ts";
import { insertWallets } from "../base/wallet-rows.ts";
import type { ChangingSale } from "../changing/changing-sale.ts";

/** The commitments whose rows by wallet are written under one lock of their sale. */
const BATCH = 500;

/** Writes the rows by wallet of the next commitments of a sale. @returns the state after that */
export async function fillNextWallets(dialect: SqlDialect, changing: ChangingSale): Promise<SaleState> {
  const { sale, state, writes } = changing;
  const rows = await readNext(changing);
  const entries = rows.flatMap(({ commitment_id, amounts }) => {
    const commitmentId = hexOfBytes(commitment_id);
    return walletsOfText(amounts).map((wallet) => ({ wallet, commitmentId }));
  });
  await writes.add(insertWallets(dialect, sale.uuid, entries));
  const last = rows.length < BATCH ? undefined : rows.at(-1);
  return { ...state, walletsFilledTo: last === undefined ? ALL_FILLED : hexOfBytes(last.commitment_id) };
}

function readNext({ transaction, sale, state }: ChangingSale) {
  return transaction
    .selectFrom("commitment")
    .select(["commitment_id", "amounts"])
    .where("sale", "=", bytesOfHex(sale.uuid))
    .where("commitment_id", ">", bytesOfHex(state.walletsFilledTo))
    .orderBy("commitment_id")
    .limit(BATCH)
    .execute();
}
