import { bytesOfHex, hexOfBytes } from "../../../common/platform/encoding/hex.ts";
import { uuidFromBytes } from "../../../common/platform/encoding/uuid.ts";
import { bigintOf } from "../base/encoding.ts";
import type { CommitmentsDatabase } from "../base/schema.ts";

export interface SaleRevision {
  readonly saleUuid: string;
  readonly generation: string;
  readonly revision: bigint;
}

/** Reads the revisions of those of the sales that the public can read now. */
export async function readRevisions(
  database: CommitmentsDatabase,
  saleUuids: readonly string[],
): Promise<readonly SaleRevision[]> {
  const rows = await database.read((connection) =>
    connection
      .selectFrom("sale_state")
      .select(["sale", "generation", "revision"])
      .where("sale", "in", saleUuids.map(bytesOfHex))
      .where("status", "in", ["open", "settled"])
      .where("has_snapshot", "=", 1)
      .execute(),
  );
  return rows.map((row) => ({
    saleUuid: uuidFromBytes(row.sale),
    generation: hexOfBytes(row.generation),
    revision: bigintOf(row.revision),
  }));
}

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
