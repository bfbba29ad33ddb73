import type { CompiledQuery } from "kysely";
import { inBatches } from "../../../common/platform/db/batches.ts";
import { deleteByKeys } from "../../../common/platform/db/sql/by-keys.ts";
import type { SqlDialect } from "../../../common/platform/db/sql/dialect.ts";
import { HexBytes, hexBytes } from "../../../common/platform/db/sql/hex-bytes.ts";
import { tableTarget } from "../../../common/platform/db/sql/table-target.ts";
import { upsertStatement } from "../../../common/platform/db/sql/upsert.ts";
import { bytesOfHex } from "../../../common/platform/encoding/hex.ts";
import type { CommitmentOfWallet } from "../../../common/sale/record/commitment.ts";
import type { CommitmentWalletTable } from "./schema.ts";

const WALLET_TARGET = tableTarget<CommitmentWalletTable>("commitment_wallet", {
  sale: "key",
  wallet: "key",
  commitment_id: "key",
});

/** Builds the statements that store which commitments each wallet has. */
export function* storeWalletChanges(
  dialect: SqlDialect,
  saleUuid: string,
  {
    added,
    removed,
  }: { readonly added: readonly CommitmentOfWallet[]; readonly removed: readonly CommitmentOfWallet[] },
): Generator<CompiledQuery> {
  yield* insertWallets(dialect, saleUuid, added);
  const sale = bytesOfHex(saleUuid);
  for (const [wallet, entries] of Map.groupBy(removed, (entry) => entry.wallet)) {
    const rows = { where: { sale, wallet }, key: "commitment_id" } as const;
    const ids = entries.map(({ commitmentId }) => bytesOfHex(commitmentId));
    for (const batch of inBatches(ids)) yield deleteByKeys(dialect, WALLET_TARGET, rows, batch);
  }
}

/** Builds the statements that insert rows by wallet. Rows that are there already stay. */
export function* insertWallets(
  dialect: SqlDialect,
  saleUuid: string,
  entries: readonly CommitmentOfWallet[],
): Generator<CompiledQuery> {
  const sale = hexBytes(saleUuid);
  for (const batch of inBatches(entries)) {
    const rows = batch.map(({ wallet, commitmentId }) => ({ sale, wallet, commitment_id: new HexBytes(commitmentId) }));
    yield upsertStatement(dialect, WALLET_TARGET, rows);
  }
}
