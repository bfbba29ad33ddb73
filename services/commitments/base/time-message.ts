import type { Timestamp } from "@bufbuild/protobuf/wkt";

/** Returns a time in milliseconds since 1970, rounded down; 0 for none. */
export function millisOf(time: Timestamp | undefined): bigint {
  if (time === undefined) return 0n;
  return time.seconds * 1000n + BigInt(Math.floor(time.nanos / 1_000_000));
}
