/** The part of a browser's `document` that says whether somebody can see the page. */
interface Page extends EventTarget {
  readonly hidden: boolean;
}

/** Returns the page that this runs in; undefined outside browsers. */
function page(): Page | undefined {
  return (globalThis as { readonly document?: Page }).document;
}

export function isHidden(): boolean {
  return page()?.hidden === true;
}

/** Calls back once the page is hidden. @returns a function that ends that */
export function onHidden(callback: () => void): () => void {
  const listener = () => isHidden() && callback();
  page()?.addEventListener("visibilitychange", listener);
  return () => page()?.removeEventListener("visibilitychange", listener);
}

/** Waits until the page is shown. @throws the signal's reason as soon as it is aborted */
export function shown(signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const end = (settle: () => void) => {
      page()?.removeEventListener("visibilitychange", listener);
      signal?.removeEventListener("abort", abort);
      settle();
    };
    const listener = () => !isHidden() && end(resolve);
    const abort = () => end(() => reject(signal?.reason));
    page()?.addEventListener("visibilitychange", listener);
    signal?.addEventListener("abort", abort);
    listener();
  });
}
