import type { Transaction } from "kysely";
import { ServiceError } from "../../../common/platform/errors/service-error.ts";
import type { EntitiesContext, RecentSale } from "../base/context.ts";
import { lockSale } from "../base/lock-sale.ts";
import type { SaleFacts } from "../base/sale-facts.ts";
import type { EntitiesSchema } from "../base/schema.ts";
import { storedPermits } from "./permits-store.ts";

type RecordingContext = Pick<EntitiesContext, "database" | "clock" | "recentSales">;

/** The permits that a transaction records. */
export interface Recording<Result> {
  readonly permitUuids: readonly string[];
  /** Returns the result, once the transaction has committed. */
  result(): Result;
}

/** A sale that permits are recorded of. */
export interface RecordedSale<Result> {
  readonly sale: SaleFacts;
  /**
   * Must be called once, immediately before the message that commits, or at the end of the work.
   *
   * @throws an error that rolls back if the facts about the sale have grown too old
   */
  confirm(recording: Recording<Result>): void;
}

/** Locks a sale (`lockSale`), and records permits of it. */
export type RecordPermits<Result> = (
  transaction: Transaction<EntitiesSchema>,
  recorded: RecordedSale<Result>,
) => Promise<void>;

const MAX_TRIES = 3;

/**
 * Records permits of a sale in one transaction, by what is known of the sale now. If that grows too old meanwhile, nothing is
 * recorded, and `work` begins again, as it does after a deadlock. If only the answer to a commit was lost, its result counts.
 *
 * @throws ServiceError `unavailable`
 */
export async function recordingTransaction<Result>(
  context: RecordingContext,
  saleUuid: string,
  work: RecordPermits<Result>,
): Promise<Result> {
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const recent = await context.recentSales.read(saleUuid);
    try {
      return await transact(context, recent, work);
    } catch (error) {
      if (!(error instanceof StaleSale)) throw error;
    }
  }
  throw new ServiceError("unavailable", "the sale's state can't be confirmed fast enough; retry");
}

/** Rolls back a transaction in which the facts about the sale grew too old. */
class StaleSale extends Error {}

async function transact<Result>(
  { database, recentSales }: RecordingContext,
  recent: RecentSale,
  work: RecordPermits<Result>,
): Promise<Result> {
  const { sale } = recent;
  const confirmed: Recording<Result>[] = [];
  const confirm = (recording: Recording<Result>) => {
    if (!recentSales.isTrusted(recent)) throw new StaleSale();
    confirmed.push(recording);
  };
  const attempt = async (transaction: Transaction<EntitiesSchema>) => {
    const lastRecording = confirmed.at(-1);
    if (lastRecording !== undefined) {
      await lockSale(transaction, database.dialect, sale.saleUuid);
      if (await isStored(transaction, sale.saleUuid, lastRecording)) return lastRecording;
    }
    await work(transaction, { sale, confirm });
    return confirmed.at(-1);
  };
  const recording = await database.runExclusive(sale.saleUuid, () => database.writeLocked(attempt));
  if (recording === undefined) throw new TypeError("nothing was confirmed");
  return recording.result();
}

/** Whether an attempt has committed although its answer was lost. */
async function isStored(
  transaction: Transaction<EntitiesSchema>,
  saleUuid: string,
  { permitUuids }: Recording<unknown>,
): Promise<boolean> {
  return permitUuids.length > 0 && (await storedPermits(transaction, saleUuid, permitUuids)).size > 0;
}
