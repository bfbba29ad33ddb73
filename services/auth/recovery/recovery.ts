import type { Language } from "../../../common/platform/language/language.ts";
import { RECOVERY_OPEN_MS, RECOVERY_REMINDER_MS, RECOVERY_WAIT_MS } from "../base/lifetimes.ts";

/**
 * The request of a person who has lost all passkeys to sign in without them again. Times are milliseconds since 1970, of the
 * auth service's clock.
 */
export interface Recovery {
  readonly uuid: string;
  readonly accountUuid: string;
  readonly begunAtMs: bigint;
  /** The time from which it can be completed. */
  readonly readyAtMs: bigint;
  readonly expiresAtMs: bigint;
  /** The language of its mails. */
  readonly language: Language;
  /** Whether the operator began it, who alone can then stop it. */
  readonly byOperator: boolean;
}

/** Begins a recovery. Its times are fixed now: nothing that is sent later moves them. */
export function newRecovery(
  begun: Pick<Recovery, "uuid" | "accountUuid" | "language" | "byOperator">,
  nowMs: bigint,
): Recovery {
  const readyAtMs = nowMs + RECOVERY_WAIT_MS;
  return { ...begun, begunAtMs: nowMs, readyAtMs, expiresAtMs: readyAtMs + RECOVERY_OPEN_MS };
}

export type RecoveryState = "waiting" | "ready" | "expired";

export function recoveryState(
  { readyAtMs, expiresAtMs }: Pick<Recovery, "readyAtMs" | "expiresAtMs">,
  nowMs: bigint,
): RecoveryState {
  if (nowMs >= expiresAtMs) return "expired";
  return nowMs >= readyAtMs ? "ready" : "waiting";
}

/** A mail about a recovery that becomes due by itself. */
export type RecoveryNotice = "begun" | "reminder" | "ready" | "expired";

/** The notices in the order in which they are due. */
const NOTICES: readonly RecoveryNotice[] = ["begun", "reminder", "ready", "expired"];

/** Returns the time at which a notice is due. */
function dueAtMs({ begunAtMs, readyAtMs, expiresAtMs }: Recovery, notice: RecoveryNotice): bigint {
  const times = {
    begun: begunAtMs,
    reminder: begunAtMs + RECOVERY_REMINDER_MS,
    ready: readyAtMs,
    expired: expiresAtMs,
  };
  return times[notice];
}

/**
 * Returns the notice to mail now; undefined where none is due. Of several that are due, because mails couldn't be sent, it is
 * the last; but the first one, which says how to stop the recovery, is never skipped.
 *
 * @param sent the number of notices that were mailed or skipped
 */
export function dueNotice(recovery: Recovery, sent: number, nowMs: bigint): RecoveryNotice | undefined {
  const due = NOTICES.slice(sent).filter((notice) => dueAtMs(recovery, notice) <= nowMs);
  return due[0] === "begun" ? "begun" : due.at(-1);
}

/** Returns the number of notices that are mailed or skipped once `notice` is sent, and when the next one is due. */
export function afterNotice(
  recovery: Recovery,
  notice: RecoveryNotice,
): { readonly sent: number; readonly dueAtMs: bigint } {
  const sent = NOTICES.indexOf(notice) + 1;
  return { sent, dueAtMs: dueAtMs(recovery, NOTICES[sent] ?? "expired") };
}
