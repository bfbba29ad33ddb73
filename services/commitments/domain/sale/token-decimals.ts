import type { PaymentToken } from "./sale.ts";
import type { ViolationList } from "./violation-list.ts";

const MAX_DECIMALS = 36;
const FIELD = "definition.payment_token_decimals";
const RULE = "payment_token_decimals";

/** Checks that a number of decimals is an integer from 0 to 36. */
export function checkDecimals(field: string, decimals: number, violations: ViolationList): void {
  if (!Number.isInteger(decimals) || decimals < 0 || decimals > MAX_DECIMALS) {
    violations.add(field, "decimals", `must be 0 to ${MAX_DECIMALS}`);
  }
}

/**
 * Decides P, the decimals that a sale lists and adds up amounts in: `frozen` where the sale is no draft any more, else
 * the tokens' own where they agree, else `given`. A `given` one that differs from what is decided is a violation,
 * and so is none where nothing decides it.
 */
export function decidePaymentTokenDecimals(
  tokens: readonly Pick<PaymentToken, "decimals">[],
  given: number | undefined,
  frozen: number | undefined,
  violations: ViolationList,
): number {
  if (given !== undefined) checkDecimals(FIELD, given, violations);
  const decided = frozen ?? commonDecimals(tokens);
  if (decided === undefined) {
    if (given === undefined) violations.add(FIELD, `${RULE}.required`, "is required: the tokens' own differ");
  } else if (given !== undefined && given !== decided) {
    const [rule, reason] =
      frozen === undefined ? ["differs", "as all tokens have"] : ["frozen", "as the sale is no draft any more"];
    violations.add(FIELD, `${RULE}.${rule}`, `must be ${decided}, ${reason}`);
  }
  // Where neither is there, a violation is noted, and the result will not be used.
  return decided ?? given ?? 0;
}

function commonDecimals(tokens: readonly Pick<PaymentToken, "decimals">[]): number | undefined {
  const first = tokens[0]?.decimals;
  return tokens.every(({ decimals }) => decimals === first) ? first : undefined;
}
