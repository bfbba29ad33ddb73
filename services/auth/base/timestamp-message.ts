import { type Timestamp, timestampFromMs } from "@bufbuild/protobuf/wkt";

/** @param atMs milliseconds since 1970, which a JavaScript number holds exactly. */
export function timestampOf(atMs: bigint): Timestamp {
  return timestampFromMs(Number(atMs));
}
