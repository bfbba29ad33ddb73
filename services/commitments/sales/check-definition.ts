import { ServiceError } from "../../../common/platform/errors/service-error.ts";
import { type PaymentToken, type SaleDefinition, sourceFamily } from "../../../common/sale/definition/sale.ts";
import { sourceCheckError } from "../../../common/sale/definition/source-check-rule.ts";
import {
  decimalsProblems,
  type SourceProblem,
  sourceProblems,
  type TokenFinding,
} from "../../../common/sale/definition/source-findings.ts";
import { sourceProblemClause } from "../../../common/sale/words/source-problem.ts";
import type { SourceChecker } from "../base/source-checker.ts";
import { isSameSource, isStatedAlike } from "./definition-change.ts";

export interface DefinitionCheck {
  readonly saleUuid: string;
  readonly definition: SaleDefinition;
  /** The definition that was checked before; absent if none was. Only what differs is checked. */
  readonly before?: SaleDefinition;
  /** Whether the definition is accepted whatever the check finds, also if nothing can be checked. */
  readonly override: boolean;
}

export interface AcceptedDefinition {
  /** The definition, with the symbols that the chain has. */
  readonly definition: SaleDefinition;
  /** Whether the definition is accepted although it doesn't pass. */
  readonly overridden: boolean;
}

/**
 * Checks a definition against the chain of its source before the sale is public with it.
 *
 * @throws ServiceError of the rule `source.check`: `failed_precondition` if it doesn't pass; `unavailable`, `resource_exhausted` if it
 *   can't be checked
 */
export async function checkDefinition(checker: SourceChecker, check: DefinitionCheck): Promise<AcceptedDefinition> {
  const { definition, override } = check;
  try {
    const { problems, tokens } = await findProblems(checker, check);
    const checked = { ...definition, paymentTokens: tokens };
    if (problems.length === 0) return { definition: checked, overridden: false };
    if (override) return { definition: checked, overridden: true };
    const clauses = problems.map(sourceProblemClause);
    throw new ServiceError("failed_precondition", `the sale's source doesn't pass the check: ${clauses.join("; ")}`);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    if (!override) throw sourceCheckError(error);
    return { definition, overridden: true };
  }
}

async function findProblems(
  checker: SourceChecker,
  { saleUuid, definition, before }: DefinitionCheck,
): Promise<{ readonly problems: readonly SourceProblem[]; readonly tokens: readonly PaymentToken[] }> {
  const { source, paymentTokens, cancelledKeepsAmounts, pricing, offeredTokenDecimals } = definition;
  if (source === undefined) return { problems: [], tokens: paymentTokens };
  const isNewSource = before === undefined || !isSameSource(before.source, source);
  const asksSource = isNewSource || !isStatedAlike(before, definition);
  const newTokens = paymentTokens.filter((token) => isNewSource || !isKnown(token, before));
  const [found, foundTokens] = await Promise.all([
    asksSource ? checker.checkSource(source) : undefined,
    newTokens.length === 0
      ? []
      : checker.checkTokens(
          source.chain,
          newTokens.map(({ address }) => address),
        ),
  ]);
  const expected = {
    ...{ saleUuid, cancelledKeepsAmounts, contractFamily: sourceFamily(source) },
    paymentTokens: paymentTokens.map(({ address }) => address),
    ...(pricing.kind === "auction" && { terms: { ...pricing, offeredTokenDecimals } }),
  };
  return {
    problems: [
      ...(found === undefined ? [] : sourceProblems(expected, found)),
      ...decimalsProblems(newTokens, foundTokens),
    ],
    tokens: withFoundSymbols(paymentTokens, foundTokens),
  };
}

function isKnown({ address, decimals }: PaymentToken, before: SaleDefinition | undefined): boolean {
  return before?.paymentTokens.some((token) => token.address === address && token.decimals === decimals) === true;
}

/** Returns the tokens with the symbols that their chain has. */
function withFoundSymbols(tokens: readonly PaymentToken[], found: readonly TokenFinding[]): readonly PaymentToken[] {
  const symbols = new Map(found.map(({ address, symbol }) => [address, symbol]));
  return tokens.map((token) => {
    const symbol = symbols.get(token.address) ?? token.symbol;
    return symbol === undefined ? token : { ...token, symbol };
  });
}
