/** Runs tasks so that each may begin before the one before it is done, but at most two run at once. */
export class OrderedTasks {
  readonly #running: Promise<void>[] = [];
  #failed = false;

  /**
   * Begins a task; waits before that while two others run. Once a task has failed, none begins any more.
   *
   * @param task gets the task before it while that one isn't done: it must end after it, and fail where it fails.
   * @throws what a task before it threw.
   */
  async begin(task: (before: Promise<void> | undefined) => Promise<void>): Promise<void> {
    while (this.#running.length > 1 || this.#failed) await this.#running[0];
    const run = task(this.#running[0]).then(() => void this.#running.shift());
    // Its failure is met by whoever begins the next one, or waits for the end.
    run.catch(() => {
      this.#failed = true;
    });
    this.#running.push(run);
  }

  /** Waits until all have succeeded. @throws what one of them threw. */
  async done(): Promise<void> {
    await Promise.all(this.#running);
  }

  /** Waits until none runs, however it ended. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#running);
  }
}
