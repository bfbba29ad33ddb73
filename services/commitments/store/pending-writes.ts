import type { CompiledQuery } from "kysely";
import type { SqlDialect } from "../../shared/db/dialect.ts";
import { executeAndCommit, executeTogether } from "../../shared/db/together.ts";
import type { Tx } from "./sale-rows.ts";

/** Text of statements sent at once, about; a single one may be longer. Well below any `max_allowed_packet`. */
const MESSAGE_CHARACTERS = 512 * 1024;

/** What a transaction writes and doesn't read again: sent together, the last of it with the commit. */
export class PendingWrites {
  readonly #dialect: SqlDialect;
  readonly #transaction: Tx;
  readonly #isOneMessage: boolean;
  #statements: CompiledQuery[] = [];
  #characters = 0;

  private constructor(dialect: SqlDialect, transaction: Tx, isOneMessage: boolean) {
    this.#dialect = dialect;
    this.#transaction = transaction;
    this.#isOneMessage = isOneMessage;
  }

  /** Sends what is too long for one message in several. */
  static ofAnyLength(dialect: SqlDialect, transaction: Tx): PendingWrites {
    return new PendingWrites(dialect, transaction, false);
  }

  /** Refuses what is too long for one message. */
  static ofOneMessage(dialect: SqlDialect, transaction: Tx): PendingWrites {
    return new PendingWrites(dialect, transaction, true);
  }

  /** Each statement is taken, and so put together, when there is place for it. */
  async add(statements: Iterable<CompiledQuery>): Promise<void> {
    for (const statement of statements) {
      this.#statements.push(statement);
      this.#characters += statement.sql.length;
      if (this.#characters < MESSAGE_CHARACTERS) continue;
      if (this.#isOneMessage) throw new RangeError("the writes are too long for one message");
      await executeTogether(this.#transaction, this.#dialect, this.#take());
    }
  }

  /** The end of the transaction's work. @param first what goes before all that waits, where it is one message */
  async commit(first: readonly CompiledQuery[] = []): Promise<void> {
    await executeAndCommit(this.#transaction, this.#dialect, [...first, ...this.#take()]);
  }

  #take(): readonly CompiledQuery[] {
    const statements = this.#statements;
    this.#statements = [];
    this.#characters = 0;
    return statements;
  }
}
