import type { SalePhase } from "../../../common/sale/state/phase.ts";
import { ALERT_GAP_MS, CLOSING_ALERT_LATE_MS, CLOSING_ALERTS_MS } from "../base/lifetimes.ts";
import type { SaleAlertName } from "../notices/notices-store.ts";
import {
  type AlertReason,
  type AlertSubscription,
  type BadBids,
  type BadStanding,
  REASON_OF,
  type Standing,
} from "./alert.ts";

/** A sale at the moment of a judging. Times are milliseconds since 1970. */
export interface JudgedSale {
  readonly nowMs: bigint;
  /** Whether it is the first judging, or comes after a fault: how bids have changed until then is mailed to nobody. */
  readonly isSilent: boolean;
  readonly phase: SalePhase;
  readonly closesAtMs: bigint | undefined;
}

/** Result of a judging for a person. */
export interface AlertJudgement {
  readonly alerts: readonly SaleAlertName[];
  readonly known: BadBids;
  readonly mailedAtMs: AlertSubscription["mailedAtMs"];
  /** Whether anything is to be stored. */
  readonly isChanged: boolean;
}

/**
 * Decides what a person is mailed. A bid that has become worse than the person knows is mailed once, at the latest when the mail before
 * is an hour old; one that has become better is noted, so that it may become worse again.
 *
 * @param bids how each bid of the person stands, by commitment ID; undefined where prices decide nothing, before and after bidding
 */
export function judgeSubscription(
  subscription: AlertSubscription,
  bids: ReadonlyMap<string, Standing> | undefined,
  sale: JudgedSale,
): AlertJudgement {
  const position = judgePosition(subscription, bids, sale);
  const due = [position.alert, closingAlert(subscription, sale), settledAlert(subscription, sale)];
  const alerts = due.filter((alert) => alert !== undefined);
  const mailedAtMs = { ...subscription.mailedAtMs };
  for (const alert of alerts) mailedAtMs[REASON_OF[alert]] = sale.nowMs;
  const isChanged = alerts.length > 0 || subscription.isNew || !isSame(position.known, subscription.known);
  return { alerts, known: position.known, mailedAtMs, isChanged };
}

const RANKS: Readonly<Record<Standing, number>> = { in: 0, at_margin: 1, out: 2 };

interface PositionJudgement {
  readonly alert?: BadStanding;
  readonly known: BadBids;
}

function judgePosition(
  subscription: AlertSubscription,
  bids: ReadonlyMap<string, Standing> | undefined,
  sale: JudgedSale,
): PositionJudgement {
  if (bids === undefined) return { known: subscription.known };
  const bad = [...bids].flatMap(([id, standing]) => (standing === "in" ? [] : [[id, standing] as const]));
  if (subscription.isNew || sale.isSilent) return { known: new Map(bad) };
  const isWorse = ([id, standing]: readonly [string, BadStanding]) =>
    RANKS[standing] > RANKS[subscription.known.get(id) ?? "in"];
  const worse = bad.filter(isWorse);
  if (worse.length > 0 && mayMail(subscription, "position", sale)) {
    return { alert: worse.some(([, standing]) => standing === "out") ? "out" : "at_margin", known: new Map(bad) };
  }
  // What the person can't be told yet stays as they know it.
  const known = bad.flatMap((bid): (readonly [string, BadStanding])[] => {
    if (!isWorse(bid)) return [bid];
    const before = subscription.known.get(bid[0]);
    return before === undefined ? [] : [[bid[0], before]];
  });
  return { known: new Map(known) };
}

/** Returns the mail about the closing that is due now, or was a short time ago, and that the person hasn't got: a fault only delays it. */
function closingAlert(
  subscription: AlertSubscription,
  { nowMs, closesAtMs, phase }: JudgedSale,
): SaleAlertName | undefined {
  if (closesAtMs === undefined || phase !== "open") return undefined;
  const { closingAskedAtMs, mailedAtMs } = subscription;
  const due = CLOSING_ALERTS_MS.find(({ beforeMs }) => {
    const dueMs = closesAtMs - beforeMs;
    const isDue = dueMs <= nowMs && nowMs - dueMs < CLOSING_ALERT_LATE_MS;
    const isKnown = mailedAtMs.closing !== undefined && mailedAtMs.closing >= dueMs;
    return isDue && !isKnown && closingAskedAtMs !== undefined && closingAskedAtMs <= dueMs;
  });
  return due && mayMail(subscription, "closing", { nowMs }) ? due.alert : undefined;
}

/** Returns the mail about the settlement, of which the person is told once: who asked has asked before. */
function settledAlert(subscription: AlertSubscription, sale: JudgedSale): SaleAlertName | undefined {
  if (sale.phase !== "settled" || subscription.mailedAtMs.settled !== undefined) return undefined;
  return mayMail(subscription, "settled", sale) ? "settled" : undefined;
}

/** Whether the person has asked for a reason, and the last mail for it is an hour old. */
function mayMail(
  { reasons, mailedAtMs }: AlertSubscription,
  reason: AlertReason,
  { nowMs }: Pick<JudgedSale, "nowMs">,
): boolean {
  const lastMs = mailedAtMs[reason];
  return reasons.has(reason) && (lastMs === undefined || nowMs - lastMs >= ALERT_GAP_MS);
}

function isSame(one: BadBids, other: BadBids): boolean {
  return one.size === other.size && [...one].every(([id, standing]) => other.get(id) === standing);
}
