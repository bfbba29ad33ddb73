import { type AgedRows, deleteAgedRows } from "../../shared/db/expired-rows.ts";
import { SESSION_IDLE_MS } from "../sessions/session.ts";
import { LONGEST_WINDOW_MS } from "./rate-limit.ts";
import type { AuthDatabase } from "./schema.ts";
import { HOURS_OF_DAY, hourOf } from "./send-limit.ts";

/** A code that comes back within this time after it has expired is known to be a replay. */
const CODE_RETENTION_MS = 24n * 3_600_000n;

export interface AuthRetention {
  /** Of security events. */
  readonly auditMs: bigint;
}

/** Deletes what is over, and security events that are older than their retention. */
export async function deleteExpired(
  database: AuthDatabase,
  retention: AuthRetention,
  nowMs: bigint,
  signal: AbortSignal,
): Promise<void> {
  await deleteAgedRows(database, agedRows(retention, nowMs), signal);
}

function agedRows({ auditMs }: AuthRetention, nowMs: bigint): AgedRows[] {
  const expired = (table: string, cutoff = nowMs) => ({ table, ageColumn: "expires_at_ms", cutoff });
  return [
    expired("sign_in"),
    expired("session"),
    { table: "session", ageColumn: "last_seen_at_ms", cutoff: nowMs - SESSION_IDLE_MS },
    expired("authorization_request"),
    expired("authorization_code", nowMs - CODE_RETENTION_MS),
    expired("refresh_token"),
    expired("token_family"),
    { table: "mail_count", ageColumn: "hour", cutoff: hourOf(nowMs) - HOURS_OF_DAY },
    { table: "rate_window", ageColumn: "window_start_ms", cutoff: nowMs - LONGEST_WINDOW_MS },
    { table: "audit", ageColumn: "at_ms", cutoff: nowMs - auditMs },
  ];
}
