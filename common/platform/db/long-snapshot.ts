import type { Transaction, TransactionBuilder } from "kysely";

/** A consistent snapshot that is read in several steps and stays open between them. */
export class LongSnapshot<Schema> {
  readonly #transaction: Transaction<Schema>;
  readonly #end: () => Promise<void>;
  #reading: Promise<unknown> = Promise.resolve();
  #closing: Promise<void> | undefined;

  private constructor(transaction: Transaction<Schema>, end: () => Promise<void>) {
    this.#transaction = transaction;
    this.#end = end;
  }

  /** @param builder begins the transaction. @param release closes what only this snapshot used */
  static async open<Schema>(
    builder: TransactionBuilder<Schema>,
    release: () => Promise<void>,
  ): Promise<LongSnapshot<Schema>> {
    const [opened, closing] = [Promise.withResolvers<Transaction<Schema>>(), Promise.withResolvers<void>()];
    const run = async () => {
      try {
        await builder.execute((transaction) => {
          opened.resolve(transaction);
          return closing.promise;
        });
      } finally {
        await release();
      }
    };
    const ended = run();
    // After `opened`, an error at the end doesn't matter: the transaction has only read.
    ended.catch(opened.reject);
    const transaction = await opened.promise;
    return new LongSnapshot(transaction, async () => {
      closing.resolve();
      await ended.catch(() => undefined);
    });
  }

  /** Runs `work`, which must only read, after all earlier reads. @throws Error after `close` */
  async read<Result>(work: (transaction: Transaction<Schema>) => Promise<Result>): Promise<Result> {
    if (this.#closing !== undefined) throw new Error("the snapshot is closed");
    const reading = this.#reading.then(() => work(this.#transaction));
    this.#reading = reading.catch(() => undefined);
    return reading;
  }

  /** Ends the snapshot after the reads that were begun. Must be called in every case; a second call does nothing. */
  close(): Promise<void> {
    this.#closing ??= this.#reading.then(this.#end);
    return this.#closing;
  }
}
