import type { CompiledQuery } from "kysely";

/**
 * The approximate length of one message of several; a single statement may be longer. Short enough that the database begins with the
 * first of many rows while the statements for the others are built.
 */
const MESSAGE_CHARACTERS = 128 * 1024;

/**
 * The statements of a change whose results it doesn't need. They are sent together, the last ones with the commit; of a large change
 * the first ones are sent before, each message once the one before it has succeeded. From the first `add` on everything that a change
 * writes goes this way: if the message fails by a deadlock, whatever else is executed meanwhile is no longer in the transaction.
 */
export class PendingWrites {
  readonly #send: (statements: readonly CompiledQuery[]) => Promise<unknown>;
  readonly #messageCharacters: number;
  #statements: CompiledQuery[] = [];
  #characters = 0;
  #running: Promise<unknown> = Promise.resolve();

  /**
   * @param send called with the statements when they fill one message; the next ones are built meanwhile
   * @param messageCharacters the approximate length of one message
   */
  constructor(
    send: (statements: readonly CompiledQuery[]) => Promise<unknown>,
    messageCharacters: number = MESSAGE_CHARACTERS,
  ) {
    this.#send = send;
    this.#messageCharacters = messageCharacters;
  }

  /** Adds statements. Each is taken, and so built, when there is room for it. @throws the failure of a message */
  async add(statements: Iterable<CompiledQuery>): Promise<void> {
    for (const statement of statements) {
      this.#statements.push(statement);
      this.#characters += statement.sql.length;
      if (this.#characters >= this.#messageCharacters) await this.#sendAhead();
    }
  }

  async #sendAhead(): Promise<void> {
    this.#running = this.#send(await this.take());
    // The failure is thrown by the next message, or by the last.
    this.#running.catch(() => undefined);
  }

  /** Removes the pending statements and returns them, once those that were sent before have succeeded. @throws their failure */
  async take(): Promise<readonly CompiledQuery[]> {
    await this.#running;
    const statements = this.#statements;
    this.#statements = [];
    this.#characters = 0;
    return statements;
  }

  /** Waits until nothing is being sent, whatever the outcome: a rollback mustn't come between the statements of a message. */
  async settled(): Promise<void> {
    await this.#running.catch(() => undefined);
  }
}
