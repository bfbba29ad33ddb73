/** Waits, as `setTimeout` of `node:timers/promises`. @throws the signal's reason once that is aborted */
export function setTimeout<Value>(millis: number, value?: Value, { signal }: { readonly signal?: AbortSignal } = {}) {
  return new Promise<Value | undefined>((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = globalThis.setTimeout(() => {
      signal?.removeEventListener("abort", abort);
      resolve(value);
    }, millis);
    if (signal?.aborted) abort();
    signal?.addEventListener("abort", abort, { once: true });
  });
}
