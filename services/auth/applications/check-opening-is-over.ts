import { ServiceError } from "../../../common/platform/errors/service-error.ts";
import { ADMISSION_LASTS_MS } from "../base/lifetimes.ts";
import type { SaleObservation } from "../memberships/read-sale.ts";

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
  if (askedAtMs - openingAtMs < ADMISSION_LASTS_MS) {
    throw new ServiceError(
      "failed_precondition",
      "the sale is being opened with this client; try again in two minutes",
    );
  }
}
