import type { Logger } from "../../../common/platform/log/log.ts";
import { LogLimit } from "../../../common/platform/log/log-limit.ts";
import type { EntitiesContext } from "../base/context.ts";

/**
 * Logs failures of screeners by the screener's host and the reason, each sale once a minute and ten at most. Neither the wallet
 * nor the URL's path, which may hold a secret, nor anything that the screener sent is logged.
 */
export function screeningFailureLog(logger: Logger, limit = new LogLimit()): EntitiesContext["logScreeningFailure"] {
  return (saleUuid, screenerUrl, { message }) => {
    if (!limit.isDue(saleUuid)) return;
    logger.warn({ sale: saleUuid, screener: new URL(screenerUrl).host, reason: message }, "wallets can't be screened");
  };
}
