/**
 * Returns a function that reads once for all that ask while it reads, such as the gauges of one scrape: a gauge is written as soon
 * as its own `collect` has ended, so one can't set another.
 */
export function sharedRead<Value>(read: () => Promise<Value>): () => Promise<Value> {
  let reading: Promise<Value> | undefined;
  return () => {
    reading ??= read().finally(() => {
      reading = undefined;
    });
    return reading;
  };
}
