import { addressFamily } from "../../chains/addresses.ts";
import type { ChainFamily } from "../../chains/base/chain-family.ts";
import { tokenSymbol } from "../../chains/base/token-symbol.ts";
import type { PaymentToken, SaleDefinition } from "./sale.ts";
import { checkDecimals } from "./token-decimals.ts";
import { checkTypedAddress } from "./typed-address.ts";
import type { ViolationList } from "./violation-list.ts";

const MAX_TOKENS = 32;
const FIELD = "definition.payment_tokens";

/**
 * Checks the payment tokens of a sale: 1 to 32 (exactly one for an SVM source), no duplicates, all of the source's kind, or
 * of the first token's kind if there is no source. Returns those with a valid address, in canonical form.
 */
export function checkPaymentTokens(
  { paymentTokens, source }: Pick<SaleDefinition, "paymentTokens" | "source">,
  violations: ViolationList,
): readonly PaymentToken[] {
  checkNumber(paymentTokens.length, source?.kind, violations);
  const kind = source?.kind ?? firstKind(paymentTokens);
  const checked = new Map<string, PaymentToken>();
  for (const [index, token] of paymentTokens.slice(0, MAX_TOKENS).entries()) {
    const field = `${FIELD}[${index}]`;
    checkDecimals(`${field}.decimals`, token.decimals, violations);
    const address = checkTypedAddress(`${field}.address`, token.address, kind, violations);
    if (address === undefined) continue;
    checkSymbol(`${field}.symbol`, token.symbol, violations);
    if (checked.has(address)) violations.add(`${field}.address`, "payment_token.duplicate", "must not occur twice");
    checked.set(address, { ...token, address });
  }
  return [...checked.values()];
}

function checkSymbol(field: string, symbol: string | undefined, violations: ViolationList): void {
  if (symbol === undefined || tokenSymbol(symbol) === symbol) return;
  violations.add(field, "symbol", "must be at most 32 visible characters, without < > & and quotation marks");
}

/** Gives each token without a symbol the one that the same token had before. */
export function withKnownSymbols(
  tokens: readonly PaymentToken[],
  before: readonly PaymentToken[],
): readonly PaymentToken[] {
  const symbols = new Map(before.map(({ address, symbol }) => [address, symbol]));
  return tokens.map((token) => {
    const symbol = token.symbol ?? symbols.get(token.address);
    return symbol === undefined ? token : { ...token, symbol };
  });
}

function checkNumber(number: number, source: ChainFamily | undefined, violations: ViolationList): void {
  if (number < 1 || number > MAX_TOKENS) {
    violations.add(FIELD, "payment_tokens.number", `must be 1 to ${MAX_TOKENS} tokens`);
  } else if (source === "svm" && number > 1) {
    violations.add(FIELD, "payment_tokens.one_mint", "must be one token: a sale on an SVM chain has one payment mint");
  }
}

/** Returns the kind of a checked definition's tokens. All of them are of one kind, and wallets of the sale are of the same. */
export function paymentTokenKind({
  paymentTokens,
}: {
  readonly paymentTokens: readonly Pick<PaymentToken, "address">[];
}): ChainFamily {
  return addressFamily(paymentTokens[0]?.address ?? "") ?? "evm";
}

function firstKind(tokens: readonly PaymentToken[]): ChainFamily | undefined {
  return tokens.map(({ address }) => addressFamily(address)).find((kind) => kind !== undefined);
}
