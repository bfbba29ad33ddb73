import { bytesOfHex } from "../../../common/platform/encoding/hex.ts";
import { bigintOf } from "../base/encoding.ts";
import type { CommitmentsDatabase } from "../base/schema.ts";
import type { SaleRevision } from "./revisions-store.ts";

/** Returns when a revision was committed, by the database's clock; undefined once its event has been deleted. */
export async function readCommitMillis(
  database: CommitmentsDatabase,
  { saleUuid, generation, revision }: SaleRevision,
): Promise<bigint | undefined> {
  const row = await database.read((connection) =>
    connection
      .selectFrom("outbox")
      .select("created_at_ms")
      .where("sale", "=", bytesOfHex(saleUuid))
      .where("revision", "=", revision)
      .where("generation", "=", bytesOfHex(generation))
      .executeTakeFirst(),
  );
  return row && bigintOf(row.created_at_ms);
}
