/** Returns a signal that is aborted once all of some signals are, for work that several callers wait for. Disposing it removes its listeners. */
export function abortedByAll(signals: readonly AbortSignal[]): Disposable & { readonly signal: AbortSignal } {
  const all = new AbortController();
  const distinct = new Set(signals);
  const left = new Set([...distinct].filter(({ aborted }) => !aborted));
  const leave = ({ currentTarget }: Event) => {
    left.delete(currentTarget as AbortSignal);
    if (left.size === 0) all.abort();
  };
  for (const signal of left) signal.addEventListener("abort", leave, { once: true });
  if (left.size === 0) all.abort();
  return {
    signal: all.signal,
    [Symbol.dispose]: () => {
      for (const signal of distinct) signal.removeEventListener("abort", leave);
    },
  };
}
