import type { SaleAlertName } from "../notices/notices-store.ts";

/** A reason for which people may be mailed. There is one mail for each within an hour, at most. */
export type AlertReason = "position" | "closing" | "settled";

/** All reasons, in the order of their bits. */
export const ALERT_REASONS: readonly AlertReason[] = ["position", "closing", "settled"];

/** The reason of each mail. */
export const REASON_OF: Readonly<Record<SaleAlertName, AlertReason>> = {
  out: "position",
  at_margin: "position",
  closes_in_day: "closing",
  closes_in_hour: "closing",
  settled: "settled",
};

/** Meaning of a bid's price for it, as far as people are mailed about that. */
export type Standing = "in" | "at_margin" | "out";

/** A bid that isn't in. */
export type BadStanding = Exclude<Standing, "in">;

/** The bids of a person that aren't in, by commitment ID in hexadecimal. */
export type BadBids = ReadonlyMap<string, BadStanding>;

/** A person's choice of mails about a sale, and the state of their bids that they know. Times are milliseconds since 1970. */
export interface AlertSubscription {
  readonly accountUuid: string;
  readonly alertUuid: string;
  readonly language: string;
  readonly reasons: ReadonlySet<AlertReason>;
  /** Whether nothing was judged since they asked. */
  readonly isNew: boolean;
  /** The bids of which they know that they aren't in. */
  readonly known: BadBids;
  /** When they asked for mails about the closing. */
  readonly closingAskedAtMs: bigint | undefined;
  /** When the last mail for each reason was stored. */
  readonly mailedAtMs: Readonly<Partial<Record<AlertReason, bigint>>>;
  readonly version: bigint;
}
