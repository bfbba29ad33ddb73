/**
 * The results of tasks, in order, while up to `depth` further ones are under way. When the iteration ends, early or by
 * a task that fails, the tasks' signal is aborted and none is left behind.
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
      // Its failure is met when its turn comes, or not at all.
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
