import { startPeriodicWork } from "../../common/platform/concurrency/periodic-work.ts";
import type { ExpiredRows } from "../../common/platform/db/expired-rows.ts";
import { reopenAccounts } from "./accounts/reopen-accounts.ts";
import { judgeSales } from "./alerts/judge-sales.ts";
import { expiredSaleDays } from "./days/sale-days-store.ts";
import { expiredErasedAccounts } from "./entities/closed-accounts-store.ts";
import { expiredNotices } from "./notices/notices-store.ts";
import { sendNotices, sendSaleAlerts } from "./notices/send-notices.ts";
import { completeStops } from "./permits/complete-stop.ts";
import { expiredPermitRates } from "./permits/permit-rates.ts";
import { expiredDecisions } from "./setup/audit-store.ts";
import { expiredCallbacks } from "./setup/callbacks-store.ts";
import { endApprovals } from "./setup/end-approvals.ts";
import { expiredHandles } from "./setup/handles-store.ts";
import { mailReviewers } from "./setup/mail-reviewers.ts";
import { expiredChallenges } from "./wallets/link-challenges-store.ts";
import type { WiredContext } from "./wired-context.ts";

/** Work that the service does at regular intervals, in every process. */
interface Work {
  readonly name: string;
  readonly intervalMs: number;
  readonly run: (dependencies: WiredContext, signal: AbortSignal) => Promise<void>;
  /** The log's message after a failure. */
  readonly failure: string;
}

const WORKS: readonly Work[] = [
  { name: "notices", intervalMs: 5_000, run: sendNotices, failure: "mails wait for the auth service" },
  {
    name: "sale alerts",
    intervalMs: 5_000,
    run: sendSaleAlerts,
    failure: "mails about sales wait for the auth service",
  },
  { name: "review queue", intervalMs: 30_000, run: mailReviewers, failure: "reviewers can't be mailed now" },
  { name: "approvals", intervalMs: 60_000, run: endApprovals, failure: "approvals can't be ended now" },
  { name: "alerts", intervalMs: 10_000, run: judgeSales, failure: "sales can't be judged now for mails about them" },
  { name: "closed accounts", intervalMs: 5_000, run: reopenAccounts, failure: "closed accounts can't be checked now" },
  {
    name: "stopped permits",
    intervalMs: 10_000,
    run: completeStops,
    failure: "it isn't known yet what came of changes that stopped permits",
  },
];

/** Starts all of it. @returns by name the functions that stop it */
export function startWorks(dependencies: WiredContext): ReadonlyMap<string, () => Promise<void>> {
  const { logger } = dependencies;
  return new Map(
    WORKS.map(({ name, intervalMs, run, failure }) => {
      const onFailure = (error: unknown) => logger.warn({ err: error }, failure);
      return [name, startPeriodicWork({ work: (signal) => run(dependencies, signal), intervalMs, onFailure })];
    }),
  );
}

/** The rows that can be deleted now, of all tables, in the order in which they are deleted. */
export function expiredRows(nowMs: bigint, auditRetentionMs: bigint): readonly ExpiredRows[] {
  return [
    expiredSaleDays(nowMs),
    expiredHandles(nowMs),
    expiredCallbacks(nowMs),
    expiredNotices(nowMs),
    expiredChallenges(nowMs),
    expiredErasedAccounts(nowMs),
    expiredPermitRates(nowMs),
    expiredDecisions(nowMs, auditRetentionMs),
  ];
}
