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
 * Decides P, the decimals in which a sale lists and adds up amounts: `frozen` if the sale is no longer a draft, else the
 * tokens' own if they agree, else `given`. It is a violation if `given` differs from the result, or if there is nothing to
 * decide by.
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
      frozen === undefined ? ["differs", "as all tokens have"] : ["frozen", "as the sale is no longer a draft"];
    violations.add(FIELD, `${RULE}.${rule}`, `must be ${decided}, ${reason}`);
  }
  // If there is neither, a violation has been added, and the result isn't used.
  return decided ?? given ?? 0;
}

function commonDecimals(tokens: readonly Pick<PaymentToken, "decimals">[]): number | undefined {
  const first = tokens[0]?.decimals;
  return tokens.every(({ decimals }) => decimals === first) ? first : undefined;
}
