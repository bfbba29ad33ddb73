import { type AddressKind, addressForm, addressKind, anyAddressForm, parseAddress } from "../../chains/address.ts";
import { hasRightChecksum } from "../../chains/address-checksum.ts";
import type { ViolationList } from "./violation-list.ts";

/**
 * Checks an address that a person typed, checksum included; returns its canonical form, or undefined if it is wrong.
 *
 * @param kind the required kind; undefined for either
 */
export async function checkTypedAddress(
  field: string,
  text: string,
  kind: AddressKind | undefined,
  violations: ViolationList,
): Promise<string | undefined> {
  const wanted = kind ?? addressKind(text) ?? "evm";
  const address = parseAddress(wanted, text);
  if (address === undefined) {
    violations.add(field, "address.form", kind === undefined ? anyAddressForm : addressForm[kind]);
  } else if (wanted === "evm" && !(await hasRightChecksum(text))) {
    violations.add(field, "address.checksum", "must carry a right EIP-55 checksum, or be all lower case");
  }
  return address;
}
