/**
 * Yields the results of tasks in order, and runs up to `depth` tasks ahead. If the iteration ends early or a task fails,
 * the signal of the tasks is aborted, and the iteration ends once none is running.
 *
 * @param depth 1 or more.
 */
export async function* prefetch<Result>(
  tasks: Iterator<(signal: AbortSignal) => Promise<Result>, void>,
  depth: number,
  signal: AbortSignal,
): AsyncGenerator<Result, void, undefined> {
  const ending = new AbortController();
  const either = AbortSignal.any([signal, ending.signal]);
  const running: Promise<Result>[] = [];
  const fill = () => {
    while (running.length < depth) {
      const { value: task } = tasks.next();
      if (task === undefined) return;
      const work = task(either);
      // A failure is thrown when the result is due, or never if the iteration ends before.
      work.catch(() => undefined);
      running.push(work);
    }
  };
  try {
    fill();
    for (let next = running.shift(); next !== undefined; next = running.shift()) {
      const result = await next;
      fill();
      yield result;
    }
  } finally {
    ending.abort();
    await Promise.allSettled(running);
  }
}
