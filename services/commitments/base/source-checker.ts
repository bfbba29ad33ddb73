import { ServiceError } from "../../../common/platform/errors/service-error.ts";
import type { Source } from "../../../common/sale/definition/sale.ts";
import type { SourceFindings, TokenFinding } from "../../../common/sale/definition/source-findings.ts";

/**
 * Asks chains about contracts and tokens.
 *
 * All methods throw ServiceError: `unavailable` or `resource_exhausted` if that is impossible now, `failed_precondition` if it
 * isn't set up.
 */
export interface SourceChecker {
  checkSource(source: Source): Promise<SourceFindings>;
  /** @param addresses of tokens on that chain, at least one */
  checkTokens(chain: string, addresses: readonly string[]): Promise<readonly TokenFinding[]>;
}

/** Checks nothing; used without an indexer. */
export const noSourceChecker: SourceChecker = { checkSource: refuse, checkTokens: refuse };

async function refuse(): Promise<never> {
  throw new ServiceError("failed_precondition", "contracts can't be checked here: the operator must set INDEXER_URL");
}
