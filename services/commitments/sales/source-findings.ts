import type { PaymentToken, SaleDefinition } from "../../../common/sale/definition/sale.ts";

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

/** Returns the reasons why a contract can't be the source of a sale, as texts for people; none if it can. */
export function sourceProblems(
  saleUuid: string,
  { paymentTokens, cancelledKeepsAmounts }: Pick<SaleDefinition, "paymentTokens" | "cancelledKeepsAmounts">,
  found: SourceFindings,
): readonly string[] {
  if (found.problems.length > 0) return found.problems;
  const problems: string[] = [];
  if (found.saleUuid !== undefined && found.saleUuid !== saleUuid) {
    problems.push(`the contract belongs to the sale ${found.saleUuid}, not to this one`);
  }
  const listed = new Set(paymentTokens.map(({ address }) => address));
  for (const token of found.paymentTokens.filter((address) => !listed.has(address))) {
    problems.push(`the contract takes the payment token ${token}, which the sale doesn't list`);
  }
  if (found.cancelledKeepsAmounts !== undefined && found.cancelledKeepsAmounts !== cancelledKeepsAmounts) {
    const does = cancelledKeepsAmounts ? "doesn't keep" : "keeps";
    problems.push(`the contract ${does} the amounts of cancelled commitments, and the sale says otherwise`);
  }
  return problems;
}

/** Returns the payment tokens whose declared decimals aren't those of the chain, as texts for people. */
export function tokenProblems(tokens: readonly PaymentToken[], found: readonly TokenFinding[]): readonly string[] {
  const decimalsOf = new Map(found.map(({ address, decimals }) => [address, decimals]));
  return tokens.flatMap(({ address, decimals }) => {
    const actual = decimalsOf.get(address);
    if (actual === undefined || actual === decimals) return [];
    return [`the payment token ${address} has ${actual} decimals on its chain, and ${decimals} in the sale`];
  });
}

/** Returns the tokens with the symbols that their chain has. */
export function withFoundSymbols(
  tokens: readonly PaymentToken[],
  found: readonly TokenFinding[],
): readonly PaymentToken[] {
  const symbols = new Map(found.map(({ address, symbol }) => [address, symbol]));
  return tokens.map((token) => {
    const symbol = symbols.get(token.address) ?? token.symbol;
    return symbol === undefined ? token : { ...token, symbol };
  });
}
