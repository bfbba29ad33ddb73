import { failed, ok, type ProbeFinding, warning } from "./finding.ts";

/** The time in which a certificate is valid, in milliseconds since 1970. */
export interface CertificateTimes {
  /** Undefined where only the end is known. */
  readonly fromMs?: number;
  readonly untilMs: number;
}

const DAY_MS = 86_400_000;
/** Certificates of months are worth a warning two weeks before their end. */
const WARNING_MS = 14 * DAY_MS;
/** Certificates of days or hours are renewed when a third of their time is left; with less than a fifth that has failed. */
const LEAST_SHARE = 5;

/** Judges how long a certificate is still valid. */
export function certificateFinding({ fromMs, untilMs }: CertificateTimes, nowMs: number): ProbeFinding {
  const leftMs = untilMs - nowMs;
  const end = new Date(untilMs).toISOString();
  if (leftMs <= 0) return failed(`the certificate has expired at ${end}`, "renew it");
  if (fromMs !== undefined && fromMs > nowMs) {
    return failed(
      `the certificate is valid only from ${new Date(fromMs).toISOString()} on`,
      "compare the clocks of this machine and of what issued it",
    );
  }
  const bound = fromMs === undefined ? WARNING_MS : Math.min(WARNING_MS, (untilMs - fromMs) / LEAST_SHARE);
  const text = `the certificate ends in ${leftText(leftMs)}, at ${end}`;
  return leftMs < bound ? warning(text, "renew it, or look why what renews it hasn't") : ok(text);
}

function leftText(leftMs: number): string {
  const days = Math.floor(leftMs / DAY_MS);
  if (days >= 2) return `${days} days`;
  return `${Math.max(1, Math.floor(leftMs / 3_600_000))} hours`;
}
