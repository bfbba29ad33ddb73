/** Replaces `setTimeout` of `node:timers/promises` in unit tests, as fake timers don't control the original. */
export function setTimeout(millis: number, value?: unknown, { signal }: { signal?: AbortSignal } = {}) {
  return new Promise((resolve, reject) => {
    const leave = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = globalThis.setTimeout(() => {
      signal?.removeEventListener("abort", leave);
      resolve(value);
    }, millis);
    if (signal?.aborted) leave();
    else signal?.addEventListener("abort", leave, { once: true });
  });
}
