import type { CompiledQuery, Transaction } from "kysely";

/**
 * Executes statements one after another. Each is taken from `statements`, and so built, while the database still works on
 * the one before; it is sent only after that one has succeeded.
 */
export async function executeInOrder<Schema>(
  transaction: Transaction<Schema>,
  statements: Iterable<CompiledQuery>,
): Promise<void> {
  let running: Promise<unknown> = Promise.resolve();
  try {
    for (const statement of statements) {
      await running;
      running = transaction.executeQuery(statement);
    }
  } finally {
    await running;
  }
}
