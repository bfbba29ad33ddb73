import { AsyncLocalStorage } from "node:async_hooks";

const storage = new AsyncLocalStorage<AbortSignal>();

/** Runs `work`, and whatever it starts, as part of a call that ends with `signal`. */
export function withCallSignal<Result>(signal: AbortSignal, work: () => Result): Result {
  return storage.run(signal, work);
}

/** The signal of the current call, so that work that waits or retries ends with the call. Undefined outside of calls. */
export function callSignal(): AbortSignal | undefined {
  return storage.getStore();
}

/**
 * Runs `work` outside of any call and trace. For work that several calls wait for, so that it doesn't end with the one that happens
 * to start it.
 */
export const outsideOfCalls: <Result>(work: () => Result) => Result = AsyncLocalStorage.snapshot();
