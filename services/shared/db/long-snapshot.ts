import type { Transaction, TransactionBuilder } from "kysely";

/** One consistent snapshot that is read bit by bit, for longer than a piece of work lasts. */
export class LongSnapshot<Schema> {
  readonly #transaction: Transaction<Schema>;
  readonly #end: () => Promise<void>;
  #reading: Promise<unknown> = Promise.resolve();
  #closing: Promise<void> | undefined;

  private constructor(transaction: Transaction<Schema>, end: () => Promise<void>) {
    this.#transaction = transaction;
    this.#end = end;
  }

  /** @param builder of a transaction that is such a snapshot. @param release ends what the snapshot alone was using */
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
    // A snapshot that has only been read can't fail at its end in a way that matters.
    ended.catch(opened.reject);
    const transaction = await opened.promise;
    return new LongSnapshot(transaction, async () => {
      closing.resolve();
      await ended.catch(() => undefined);
    });
  }

  /** Runs `work`, which must only read, after what was asked for before. @throws Error once it is closed */
  async read<Result>(work: (transaction: Transaction<Schema>) => Promise<Result>): Promise<Result> {
    if (this.#closing !== undefined) throw new Error("the snapshot is closed");
    const reading = this.#reading.then(() => work(this.#transaction));
    this.#reading = reading.catch(() => undefined);
    return reading;
  }

  /** Ends the snapshot when what is being read has been. To be called in every case; again, it changes nothing. */
  close(): Promise<void> {
    this.#closing ??= this.#reading.then(this.#end);
    return this.#closing;
  }
}
