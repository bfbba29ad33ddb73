import type { ContractFamily } from "../../../sale/definition/contract-family.ts";
import { CCA_FAMILY } from "../../cca/cca-family.ts";
import type { EvmFamily } from "../../evm-family.ts";
import { REFERENCE_FAMILY } from "../../reference/evm/reference-family.ts";

const FAMILIES: Readonly<Record<ContractFamily, EvmFamily>> = { cca: CCA_FAMILY };

/** Returns how contracts of a family are read. @param family undefined for that of the reference contract */
export function evmFamilyOf(family: ContractFamily | undefined): EvmFamily {
  return family === undefined ? REFERENCE_FAMILY : FAMILIES[family];
}
