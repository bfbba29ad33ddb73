import { AsyncLocalStorage } from "node:async_hooks";

const storage = new AsyncLocalStorage<AbortSignal>();

/** Runs `work`, and whatever it starts, as part of a call that ends with `signal`. */
export function withCallSignal<Result>(signal: AbortSignal, work: () => Result): Result {
  return storage.run(signal, work);
}

/** The signal of the call that this runs for, so that work which waits or repeats ends with it; none outside of calls. */
export function callSignal(): AbortSignal | undefined {
  return storage.getStore();
}
