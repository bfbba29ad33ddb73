import { type Timestamp, timestampDate } from "@bufbuild/protobuf/wkt";
import { utcTime } from "../../../common/platform/encoding/utc-time.ts";

/** `2026-01-31T12:00:00Z`; a dash for no time. */
export function timeText(time: Timestamp | undefined): string {
  return time === undefined ? "-" : utcTime(timestampDate(time));
}
