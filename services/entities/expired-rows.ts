import type { ExpiredRows } from "../../common/platform/db/expired-rows.ts";
import { expiredErasedAccounts } from "./entities/closed-accounts-store.ts";
import { expiredNotices } from "./notices/notices-store.ts";
import { expiredPermitRates } from "./permits/permit-rates.ts";
import { expiredDecisions } from "./setup/audit-store.ts";
import { expiredCallbacks } from "./setup/callbacks-store.ts";
import { expiredHandles } from "./setup/handles-store.ts";
import { expiredChallenges } from "./wallets/link-challenges-store.ts";

/** The rows that can be deleted now, of all tables, in the order in which they are deleted. */
export function expiredRows(nowMs: bigint, auditRetentionMs: bigint): readonly ExpiredRows[] {
  return [
    expiredHandles(nowMs),
    expiredCallbacks(nowMs),
    expiredNotices(nowMs),
    expiredChallenges(nowMs),
    expiredErasedAccounts(nowMs),
    expiredPermitRates(nowMs),
    expiredDecisions(nowMs, auditRetentionMs),
  ];
}
