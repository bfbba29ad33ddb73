import { ADDRESSES, addressFamily, anyAddressForm } from "../../chains/addresses.ts";
import type { ChainFamily } from "../../chains/base/chain-family.ts";
import type { ViolationList } from "./violation-list.ts";

/**
 * Checks an address that a person typed, checksum included; returns its canonical form, or undefined if it is wrong.
 *
 * @param kind the required kind; undefined for either
 */
export function checkTypedAddress(
  field: string,
  text: string,
  kind: ChainFamily | undefined,
  violations: ViolationList,
): string | undefined {
  const family = kind ?? addressFamily(text) ?? "evm";
  const address = ADDRESSES[family].canonical(text);
  if (address === undefined) {
    violations.add(field, "address.form", kind === undefined ? anyAddressForm : ADDRESSES[kind].form);
  } else if (!ADDRESSES[family].hasRightChecksum(text)) {
    violations.add(field, "address.checksum", "must carry a right EIP-55 checksum, or be all lower case");
  }
  return address;
}
