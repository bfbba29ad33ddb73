import process from "node:process";
import { StreamReaders } from "../support/stream-readers.ts";

/** Orders to a process of readers. It answers each one with a `ReadersAnswer`. */
export type ReadersOrder =
  /** Opens streams from an address of this machine, and answers once each has the body of a revision. */
  | {
      readonly open: { readonly url: string; readonly count: number; readonly from: string };
      readonly revision: string;
    }
  /** Answers at once, and once more when all streams have a revision. */
  | { readonly await: string };

export type ReadersAnswer = "ready" | { readonly lastMs: number };

/**
 * A process of stream readers, as one process may have too few file descriptors for all of them. `lastMs` is the time at which the last
 * stream had a revision, in milliseconds since 1970.
 */
if (import.meta.main) {
  const readers = new StreamReaders();
  const answer = (message: ReadersAnswer) => process.send?.(message);
  process.on("message", async (order: ReadersOrder) => {
    if ("open" in order) {
      const { url, count, from } = order.open;
      await readers.open(new URL(url), count, BigInt(order.revision), from);
      answer("ready");
      return;
    }
    const spread = readers.spread(BigInt(order.await));
    answer("ready");
    await spread;
    answer({ lastMs: performance.timeOrigin + performance.now() });
  });
}
