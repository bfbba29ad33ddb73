import { ServiceError } from "../../../common/platform/errors/service-error.ts";
import type { SaleObservation } from "../memberships/read-sale.ts";

/**
 * The time after which an admitted opening has ended, with or without success. A call lasts at most a minute; the rest is
 * for clocks that differ and for a slow commit.
 */
const OPENING_LASTS_MS = 120_000n;

/**
 * Checks that a sale may lose its last ready client: it isn't open, and no admitted opening is still under way.
 *
 * @param openingAtMs when an opening was last admitted
 * @throws ServiceError `failed_precondition`, or `unavailable` where the state of the sale isn't known
 */
export function checkOpeningIsOver(openingAtMs: bigint, { askedAtMs, status }: SaleObservation): void {
  if (status === undefined) throw new ServiceError("unavailable", "the state of the sale isn't known now; retry");
  if (status === "open" || status === "settled") {
    throw new ServiceError("failed_precondition", `the sale is ${status} and needs this client`);
  }
  if (askedAtMs - openingAtMs < OPENING_LASTS_MS) {
    throw new ServiceError(
      "failed_precondition",
      "the sale is being opened with this client; try again in two minutes",
    );
  }
}
