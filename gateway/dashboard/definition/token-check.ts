import { addressFamily } from "../../../common/chains/addresses.ts";
import { fill } from "../../../common/platform/language/message.ts";
import type { TokenCheck } from "../../../proto/gen/tidemark/indexer/v1/indexer_service_pb.ts";
import type { CheckLimit } from "../base/check-limit.ts";
import type { IndexerClient } from "../base/dashboard-dependencies.ts";
import { type FormError, sentence } from "../base/form-errors.ts";
import { type SaidText, saidByService } from "../base/said-text.ts";
import { texts } from "../base/texts.ts";
import type { TokenFacts } from "../base/token-facts.ts";
import { labelOf, type SaleFormValues, TOKEN_FIELDS, type TokenFormValues } from "./sale-form-values.ts";

/** The facts of an entered payment token on its chain. */
export interface FoundToken {
  /** Empty where they can't be read. */
  readonly decimals: string;
  /** Chosen by whoever made the token; empty for none. */
  readonly symbol: string;
  /** Why it can't be read; empty where it can. */
  readonly problem: string;
}

const TIMEOUT_MS = 8_000;
const UNKNOWN: FoundToken = { decimals: "", symbol: "", problem: "" };

/** Dependencies of `findTokens`. */
export interface TokenChecker {
  readonly indexer?: IndexerClient | undefined;
  readonly tokenLimit: CheckLimit;
  readonly tokenFacts: TokenFacts;
}

/**
 * Returns what the chain says about the payment tokens, in their order, on behalf of an account. Never fails: what isn't
 * known is empty.
 */
export async function findTokens(
  { source, chain, tokens }: SaleFormValues,
  checker: TokenChecker,
  accountUuid: string,
): Promise<readonly FoundToken[]> {
  if (source !== "chain" || chain === "") return tokens.map(() => UNKNOWN);
  const asked = await askedTokens(chain, tokens, checker, accountUuid);
  return tokens.map(({ address }) => {
    const token = checker.tokenFacts.of(chain, address) ?? asked.find((one) => one.address === address);
    return token === undefined ? UNKNOWN : foundToken(token);
  });
}

/** Asks for the tokens whose facts aren't cached. One whose address isn't whole yet takes none of the account's checks. */
async function askedTokens(
  chain: string,
  tokens: readonly TokenFormValues[],
  { indexer, tokenLimit, tokenFacts }: TokenChecker,
  accountUuid: string,
): Promise<readonly TokenCheck[]> {
  const addresses = tokens
    .map(({ address }) => address)
    .filter((address) => addressFamily(address) !== undefined && tokenFacts.of(chain, address) === undefined);
  if (indexer === undefined || addresses.length === 0 || !tokenLimit.take(accountUuid)) return [];
  try {
    const { tokens: found } = await indexer.checkTokens({ chain, addresses }, { timeoutMs: TIMEOUT_MS });
    tokenFacts.keep(chain, found);
    return found;
  } catch {
    // An address of another chain is refused at its field, and an indexer that is away or older checks nothing.
    return [];
  }
}

function foundToken({ decimals, symbol, problem }: TokenCheck): FoundToken {
  return { decimals: decimals === undefined ? "" : String(decimals), symbol, problem };
}

/** Returns the form's values with the decimals that were left empty and are known. */
export function withDecimals(formValues: SaleFormValues, found: readonly FoundToken[]): SaleFormValues {
  const filled = (token: TokenFormValues, index: number) => ({
    ...token,
    decimals: token.decimals === "" ? (found[index]?.decimals ?? "") : token.decimals,
  });
  return { ...formValues, tokens: formValues.tokens.map(filled) };
}

/** Returns the errors of decimals that differ from those on the chain. @param frozen number of tokens that can't change */
export function decimalsErrors(
  { tokens }: SaleFormValues,
  found: readonly FoundToken[],
  frozen = 0,
): readonly FormError[] {
  return tokens.flatMap(({ address, decimals }, index) => {
    const { decimals: right = "", symbol = "" } = found[index] ?? {};
    if (index < frozen || address === "" || right === "" || right === decimals) return [];
    const field = TOKEN_FIELDS.decimals(index);
    const { otherDecimals, otherDecimalsOf } = texts().check;
    const text =
      symbol === "" ? fill(otherDecimals, { decimals: right }) : fill(otherDecimalsOf, { symbol, decimals: right });
    return [{ field, label: labelOf(field), text }];
  });
}

/** Returns the line about a token below its fields; empty where nothing is known. */
export function tokenLine({ decimals, symbol, problem }: FoundToken): SaidText {
  if (problem !== "") return saidByService(sentence(problem));
  if (decimals === "") return "";
  const { onChain, noSymbol } = texts().check;
  return fill(onChain, { symbol: symbol || noSymbol, decimals });
}
