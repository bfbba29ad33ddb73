import type { ExpiredRows } from "../../common/platform/db/expired-rows.ts";
import { expiredPasses } from "./accounts/recovery-passes-store.ts";
import { expiredNotices } from "./accounts/sent-notices-store.ts";
import { expiredSignInHours } from "./applications/sign-in-counts-store.ts";
import { expiredAuditRows } from "./audit/audit-store.ts";
import { expiredAuthorizationRequests } from "./authorization/authorization-requests-store.ts";
import { expiredPushedRequests } from "./authorization/pushed-requests-store.ts";
import { expiredRateWindows } from "./base/rate-limits.ts";
import { expiredJwtIds } from "./base/used-jwt-ids.ts";
import { expiredKnownNetworks } from "./mailed-codes/known-networks-store.ts";
import { expiredMailCounts } from "./mailed-codes/mail-counts-store.ts";
import { expiredSignIns } from "./mailed-codes/sign-ins-store.ts";
import { expiredChallenges } from "./passkeys/challenges-store.ts";
import { expiredSessions } from "./sessions/sessions-store.ts";
import { expiredCodes } from "./tokens/authorization-codes-store.ts";
import { expiredRefreshTokens } from "./tokens/refresh-tokens-store.ts";
import { expiredFamilies } from "./tokens/token-families-store.ts";

/** The rows that can be deleted now, of all tables, in the order in which they are deleted. */
export function expiredRows(nowMs: bigint, auditRetentionMs: bigint): readonly ExpiredRows[] {
  return [
    expiredSignIns(nowMs),
    expiredPasses(nowMs),
    expiredChallenges(nowMs),
    ...expiredSessions(nowMs),
    expiredAuthorizationRequests(nowMs),
    expiredPushedRequests(nowMs),
    expiredCodes(nowMs),
    expiredRefreshTokens(nowMs),
    expiredFamilies(nowMs),
    expiredMailCounts(nowMs),
    expiredKnownNetworks(nowMs),
    expiredNotices(nowMs),
    expiredRateWindows(nowMs),
    expiredJwtIds(nowMs),
    expiredSignInHours(nowMs),
    expiredAuditRows(nowMs, auditRetentionMs),
  ];
}
