/** Returns a signal that is aborted once all of some signals are, for work that several callers wait for. Disposing it removes its listeners. */
export function abortedByAll(signals: readonly AbortSignal[]): Disposable & { readonly signal: AbortSignal } {
  const all = new AbortController();
  const left = new Set(signals.filter(({ aborted }) => !aborted));
  // Not the event's `currentTarget`, which Node takes away once another listener has removed itself.
  const listeners = [...left].map((signal) => {
    const leave = () => {
      left.delete(signal);
      if (left.size === 0) all.abort();
    };
    signal.addEventListener("abort", leave, { once: true });
    return { signal, leave };
  });
  if (left.size === 0) all.abort();
  return {
    signal: all.signal,
    [Symbol.dispose]: () => {
      for (const { signal, leave } of listeners) signal.removeEventListener("abort", leave);
    },
  };
}
