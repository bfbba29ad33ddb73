import type { Violation } from "../../../common/platform/errors/service-error.ts";
import { contractFamilyMessage, hasPermitHook } from "../../../common/sale/definition/contract-family.ts";
import { CONTRACT_TERMS_DEADLINE_MS } from "../base/lifetimes.ts";
import type { SaleFacts } from "../base/sale-facts.ts";
import type { Upstreams } from "../base/upstreams.ts";
import { unaskedProblem } from "../permit-keys/contract-knowledge.ts";
import type { ParticipationRules } from "./participation-rules.ts";

/** The bounds of permits that a sale's contract can take, as it says itself. */
export interface ContractTerms {
  /** Absent for a contract without `maxWalletsPerEntity()`. */
  readonly maxWalletsPerEntity?: number | undefined;
}

/** Terms, or why they can't be asked for, as a text for people. */
export type KnownTerms = { readonly terms: ContractTerms } | { readonly problem: string };

/**
 * Asks a sale's contract, by the indexer, for its terms. Never fails: the problem is in the answer. A contract that can't be read as a
 * sale says nothing of them; whether such a sale may open is decided elsewhere. A Continuous Clearing Auction has none: its hook takes any
 * wallets of an entity.
 */
export async function readContractTerms(
  { indexer }: Pick<Upstreams, "indexer">,
  { chain, contract, contractFamily }: Pick<SaleFacts, "chain" | "contract" | "contractFamily">,
): Promise<KnownTerms> {
  if (chain === undefined || contract === undefined) return { problem: "the sale has no contract" };
  if (hasPermitHook(contractFamily)) return { terms: {} };
  try {
    const { maxWalletsPerEntity } = await indexer.checkSource(
      { chain, address: contract, family: contractFamilyMessage(contractFamily) },
      { timeoutMs: CONTRACT_TERMS_DEADLINE_MS },
    );
    return { terms: { maxWalletsPerEntity } };
  } catch (error) {
    return { problem: unaskedProblem(error) };
  }
}

/**
 * Returns what of a sale's rules leads to permits that its contract can't take. A contract that bounds the wallets of an entity is the
 * reference settlement sale, or does as that: it decodes the payload, and reverts without a named error where that is empty.
 */
export function termsViolations(
  { wallets, payload }: Pick<ParticipationRules, "wallets" | "payload">,
  { maxWalletsPerEntity }: ContractTerms,
): readonly Violation[] {
  if (maxWalletsPerEntity === undefined) return [];
  const most = `must be at most ${maxWalletsPerEntity}: the contract of the sale takes bids of no more wallets of one entity`;
  const wallet = { field: "rules.wallets.max_wallets_per_entity", rule: "max_wallets.contract", message: most };
  const settings = "must be the settings of a settlement sale: the contract of the sale reads them from each permit";
  return [
    ...(wallets.maxWalletsPerEntity > maxWalletsPerEntity ? [wallet] : []),
    ...(payload === "none" ? [{ field: "rules.payload", rule: "payload.contract", message: settings }] : []),
  ];
}
