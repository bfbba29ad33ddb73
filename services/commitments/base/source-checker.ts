import { ServiceError } from "../../../common/platform/errors/service-error.ts";
import type { Source } from "../../../common/sale/definition/sale.ts";

/** The facts of a payment token on its chain. */
export interface TokenFinding {
  /** The address as the definition has it. */
  readonly address: string;
  /** Absent if the token doesn't say. */
  readonly decimals?: number;
  /** Absent if the token has none that can be shown. */
  readonly symbol?: string;
}

/** The facts of a sale's contract on its chain. */
export interface SourceFindings {
  /** Why the contract can't be read, as texts for people; empty if it can. */
  readonly problems: readonly string[];
  /** Canonical UUID of the contract's sale; absent if the contract doesn't say. */
  readonly saleUuid?: string;
  /** The tokens that the contract takes, in canonical form; empty if it doesn't say. */
  readonly paymentTokens: readonly string[];
  /** The value that the sale's `cancelledKeepsAmounts` must have; absent if the contract's version isn't known. */
  readonly cancelledKeepsAmounts?: boolean;
}

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
