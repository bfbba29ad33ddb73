import { ADDRESSES, addressFamily } from "../../../common/chains/addresses.ts";
import { invalidArgument } from "../../../common/platform/errors/service-error.ts";
import { paymentTokenKind } from "../../../common/sale/definition/payment-tokens.ts";
import type { SaleDefinition } from "../../../common/sale/definition/sale.ts";
import { checkTypedAddress } from "../../../common/sale/definition/typed-address.ts";
import { ViolationList } from "../../../common/sale/definition/violation-list.ts";

/**
 * Returns the canonical form of a wallet that a person names.
 *
 * @throws ServiceError `invalid_argument` for text that isn't an address, and for a wrong checksum.
 */
export function parseWallet(field: string, text: string): string {
  const violations = new ViolationList();
  const wallet = checkTypedAddress(field, text, undefined, violations);
  violations.throwIfAny();
  return wallet ?? text;
}

/** Requires a wallet of the chain of a sale's payment tokens, which are of one kind. @throws ServiceError `invalid_argument` */
export function requireWalletOf(
  definition: Pick<SaleDefinition, "paymentTokens">,
  field: string,
  wallet: string,
): void {
  const kind = paymentTokenKind(definition);
  if (addressFamily(wallet) === kind) return;
  throw invalidArgument([{ field, rule: "address.form", message: ADDRESSES[kind].form }]);
}
