import type { ContractFamily } from "../../../sale/definition/contract-family.ts";
import type { EvmFamily } from "../../evm-family.ts";
import { REFERENCE_FAMILY } from "../../reference/evm/reference-family.ts";

/** Returns how contracts of a family are read. @param family undefined for that of the reference contract */
export function evmFamilyOf(family: ContractFamily | undefined): EvmFamily {
  // No sale names one: the check of definitions refuses it.
  if (family !== undefined) throw new TypeError(`contracts of the family ${family} can't be read`);
  return REFERENCE_FAMILY;
}
