import type { PaymentToken, SaleDefinition } from "../../../common/sale/definition/sale.ts";
import type { SourceFindings, TokenFinding } from "../base/source-checker.ts";

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
