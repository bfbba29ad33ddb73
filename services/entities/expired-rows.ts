import type { ExpiredRows } from "../shared/db/expired-rows.ts";

/** The rows that can be deleted now, of all tables, in the order in which they are deleted. */
export function expiredRows(_nowMs: bigint): readonly ExpiredRows[] {
  return [];
}
