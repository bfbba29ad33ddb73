import { sql } from "kysely";
import { whenDatabaseAnswers } from "../../../common/platform/db/when-database-answers.ts";
import { bytesOfHex } from "../../../common/platform/encoding/hex.ts";
import type { Lifecycle } from "../../../common/platform/lifecycle/lifecycle.ts";
import type { Logger } from "../../../common/platform/log/log.ts";
import { newWriteToken } from "../base/sale-rows.ts";
import type { CommitmentsDatabase } from "../base/schema.ts";
import { isOutboxLeased, noteCommonGeneration } from "../outbox/lease-rows.ts";
import { newGeneration } from "./sale-writes.ts";

export interface BeginChangesOptions {
  readonly lifecycle: Pick<Lifecycle, "stopping">;
  readonly logger: Logger;
  /** Called before the first change; whatever takes a lease of the outbox must not begin earlier. */
  readonly onBegun: () => void;
}

/**
 * Prepares for the changes of a process. Where no process has a lease of the outbox, as when all were stopped for a restore, every
 * sale begins a new generation first: revisions that readers have seen, and that a restored database doesn't know, are taken
 * again from then on. Where nothing was restored that costs each reader one whole body.
 *
 * The promise resolves after the first try. One that fails, as without a schema, is repeated in the background.
 *
 * @returns whether sales may be changed by now
 */
export async function beginChanges(
  database: CommitmentsDatabase,
  { onBegun, ...options }: BeginChangesOptions,
): Promise<() => boolean> {
  let isBegun = false;
  const begin = async () => {
    if (!(await isOutboxLeased(database))) await renewAllGenerations(database, options.logger);
    isBegun = true;
    onBegun();
  };
  const firstTry = Promise.withResolvers<void>();
  void whenDatabaseAnswers("begin changes", () => begin().finally(firstTry.resolve), options);
  await firstTry.promise;
  return () => isBegun;
}

/** Begins a new generation of every sale, the same one for all; their revisions stay. */
async function renewAllGenerations(database: CommitmentsDatabase, logger: Logger): Promise<void> {
  const token = bytesOfHex(newWriteToken());
  const generation = newGeneration();
  const { numUpdatedRows } = await database.write(async (transaction) => {
    await noteCommonGeneration(transaction, database.dialect, generation);
    return transaction
      .updateTable("sale_state")
      .set({
        // Rows by wallet stay complete. MySQL assigns from left to right, so this comes before the token that it compares with.
        wallets_token: sql<Uint8Array>`case when wallets_token = write_token then ${token} else wallets_token end`,
        // Shows a process that has a sale in memory that it was changed.
        write_token: token,
        generation: bytesOfHex(generation),
      })
      .executeTakeFirst();
  });
  logger.info({ sales: Number(numUpdatedRows) }, "no other process was at work: every sale has a new generation");
}
