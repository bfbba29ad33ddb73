import { ServiceError } from "../../shared/errors/service-error.ts";

/**
 * An opening that was admitted this long ago has ended, with or without success: a call lasts at most a minute, and as
 * much again is for clocks that differ and a database that is slow to commit.
 */
const OPENING_LASTS_MS = 120_000n;

/** What the commitments service said of a sale, and when it was asked: the sale is at least as far now. */
export interface SaleSighting {
  /** Before the question. Milliseconds since 1970. */
  readonly askedAtMs: bigint;
  /** Undefined where the service didn't answer. */
  readonly status?: "absent" | "draft" | "open" | "settled";
  /** For people; undefined where it isn't known. */
  readonly saleName?: string;
}

/**
 * Checks that the last client with which a sale may be open can go: the sale isn't open, and the opening that was
 * admitted has come to nothing.
 *
 * @param openingAtMs when an opening was last admitted
 * @throws ServiceError `failed_precondition`, or `unavailable` where it can't be known now
 */
export function checkOpeningIsOver(openingAtMs: bigint, { askedAtMs, status }: SaleSighting): void {
  if (status === undefined) throw new ServiceError("unavailable", "the state of the sale isn't known now; retry");
  if (status === "open" || status === "settled") {
    throw new ServiceError("failed_precondition", `the sale is ${status}: without this client it couldn't be`);
  }
  if (askedAtMs - openingAtMs < OPENING_LASTS_MS) {
    throw new ServiceError(
      "failed_precondition",
      "the sale is being opened with this client; try again in two minutes",
    );
  }
}
