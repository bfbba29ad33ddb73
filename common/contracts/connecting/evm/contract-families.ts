import { callOrAbsent } from "../../../chains/evm/call-or-absent.ts";
import type { PinnedBlock } from "../../../chains/evm/pinned-block.ts";
import type { ContractFamily } from "../../../sale/definition/contract-family.ts";
import { NEXT_BID_ID, VALIDATION_HOOK } from "../../cca/auction-calls.ts";
import { CCA_FAMILY } from "../../cca/cca-family.ts";
import type { EvmFamily } from "../../evm-family.ts";
import { REFERENCE_FAMILY } from "../../reference/evm/reference-family.ts";

const FAMILIES: Readonly<Record<ContractFamily, EvmFamily>> = { cca: CCA_FAMILY };

/** Returns how contracts of a family are read. @param family undefined for that of the reference contract */
export function evmFamilyOf(family: ContractFamily | undefined): EvmFamily {
  return family === undefined ? REFERENCE_FAMILY : FAMILIES[family];
}

/** Asks a contract whether it is of a family besides the reference contract's. @throws SourceFault if the nodes don't answer */
export async function askFamily(pinned: PinnedBlock, signal: AbortSignal): Promise<ContractFamily | undefined> {
  const [bids, hook] = await Promise.all([
    callOrAbsent(pinned, NEXT_BID_ID, signal),
    callOrAbsent(pinned, VALIDATION_HOOK, signal),
  ]);
  await pinned.verify(signal);
  return bids === undefined || hook === undefined ? undefined : "cca";
}
