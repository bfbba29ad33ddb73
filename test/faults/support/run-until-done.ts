/** A task that works until `over` aborts. */
export type Task = (over: AbortSignal) => Promise<void>;

/** Runs tasks until the main task is done or one of them fails. Resolves when all have ended. @throws the first failure */
export async function runUntilDone(main: Task, tasks: readonly Task[]): Promise<void> {
  const over = new AbortController();
  const failures: unknown[] = [];
  const run = async (task: Task): Promise<void> => {
    try {
      await task(over.signal);
    } catch (error) {
      failures.push(error);
      over.abort();
    }
  };
  await Promise.all([run(main).finally(() => over.abort()), ...tasks.map(run)]);
  if (failures.length > 0) throw failures[0];
}
