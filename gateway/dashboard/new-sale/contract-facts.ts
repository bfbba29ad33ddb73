import type { SourceChecker } from "../definition/check-source.ts";
import type { SaleFormValues } from "../definition/sale-form-values.ts";

/** Facts of a contract that a sale's form asks for. */
export interface ContractFacts {
  /** The tokens that it takes; empty if it doesn't say. */
  readonly paymentTokens: readonly string[];
  /** Whether cancelled commitments keep their amounts in it; undefined if its version isn't known. */
  readonly keepsAmounts: boolean | undefined;
}

const TIMEOUT_MS = 8_000;

/** Reads the entered contract, on behalf of an account; undefined where it can't be read, or none was entered. Never fails. */
export async function contractFacts(
  { source, chain, address, contractVersion: version }: SaleFormValues,
  { indexer, checkLimit }: SourceChecker,
  accountUuid: string,
): Promise<ContractFacts | undefined> {
  if (indexer === undefined || source !== "chain" || chain === "" || address === "") return undefined;
  if (!checkLimit.take(accountUuid)) return undefined;
  const contractVersion = /^[12]$/.test(version) ? Number(version) : 0;
  try {
    const found = await indexer.checkSource({ chain, address, contractVersion }, { timeoutMs: TIMEOUT_MS });
    if (!found.readable) return undefined;
    return { paymentTokens: found.paymentTokens, keepsAmounts: found.cancelledKeepsAmounts };
  } catch {
    // The check of the contract says why it can't be read.
    return undefined;
  }
}

/** Returns the form's values with what the contract says. Tokens that somebody has entered stay. */
export function withContract(values: SaleFormValues, facts: ContractFacts | undefined): SaleFormValues {
  if (facts === undefined) return values;
  const { keepsAmounts = values.keepsAmounts, paymentTokens } = facts;
  const isEmpty = values.tokens.every(({ address }) => address === "");
  if (!isEmpty || paymentTokens.length === 0) return { ...values, keepsAmounts };
  const [first] = values.tokens;
  const tokens = paymentTokens.map((address) => ({
    ...{ address, decimals: "", usdStablecoin: first?.usdStablecoin ?? true },
  }));
  return { ...values, keepsAmounts, tokens };
}
