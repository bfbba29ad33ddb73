/** Runs at most two tasks at once. A task may begin before the previous one has ended, but ends after it. */
export class OrderedTasks {
  readonly #running: Promise<void>[] = [];
  #failed = false;

  /** Whether fewer than two tasks are running. */
  get hasRoom(): boolean {
    return this.#running.length < 2;
  }

  /**
   * Begins a task once fewer than two others are running. After a failure no task begins.
   *
   * @param task gets the previous task if that is still running. It must end after that task, and fail if that fails.
   * @throws the failure of an earlier task.
   */
  async begin(task: (previous: Promise<void> | undefined) => Promise<void>): Promise<void> {
    while (!this.hasRoom || this.#failed) await this.#running[0];
    const run = task(this.#running[0]).then(() => void this.#running.shift());
    // The failure is thrown by the next `begin`, or by `done`.
    run.catch(() => {
      this.#failed = true;
    });
    this.#running.push(run);
  }

  /** Waits until all tasks have succeeded. @throws the failure of one of them. */
  async done(): Promise<void> {
    await Promise.all(this.#running);
  }

  /** Waits until no task is running, whatever the outcomes. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#running);
  }
}
