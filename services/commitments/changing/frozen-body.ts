import type { SqlDialect } from "../../../common/platform/db/sql/dialect.ts";
import { executeBatch } from "../../../common/platform/db/sql/statement-batch.ts";
import { bytesOfHex } from "../../../common/platform/encoding/hex.ts";
import type { SaleSnapshot } from "../../../common/sale/figures/commitment-data.ts";
import { encodeSnapshot, selectRows, snapshotOfRows, snapshotSelection } from "../base/sale-snapshot.ts";
import type { ChangingSale } from "./changing-sale.ts";

/** The longest part of a frozen body that goes into one row. */
const PART_CHARACTERS = 1_000_000;

/** Stores what readers see now; they get it for as long as a change set is open. */
export async function freezeBody(dialect: SqlDialect, changing: ChangingSale): Promise<void> {
  const { transaction, sale } = changing;
  const body = encodeSnapshot(await readRowsSnapshot(dialect, changing));
  for (let from = 0, part = 0n; from < body.length; from += PART_CHARACTERS, part += 1n) {
    await transaction
      .insertInto("frozen_body")
      .values({ sale: bytesOfHex(sale.uuid), piece: part, body: body.slice(from, from + PART_CHARACTERS) })
      .execute();
  }
}

/** Deletes what `freezeBody` has stored, as one of the change's last statements. */
export async function unfreezeBody({ transaction, sale, writes }: ChangingSale): Promise<void> {
  await writes.add([transaction.deleteFrom("frozen_body").where("sale", "=", bytesOfHex(sale.uuid)).compile()]);
}

async function readRowsSnapshot(
  dialect: SqlDialect,
  { transaction, sale: { uuid, definition }, state }: ChangingSale,
): Promise<SaleSnapshot> {
  const selection = snapshotSelection({ definition, state });
  const rows = await executeBatch(transaction, dialect, selectRows(dialect, uuid, selection));
  return snapshotOfRows(state, selection, rows);
}
