import { SourceFault } from "../../../chains/base/source-fault.ts";
import type { PinnedBlock } from "../../../chains/evm/pinned-block.ts";
import type { ContractFacts } from "../../contract-facts.ts";
import type { ContractView, EvmFamily } from "../../evm-family.ts";

/** Reads the facts. @throws the errors of `ContractView`; SourceFault if there are more than `maxCommitments`. */
export async function readFacts(
  view: ContractView,
  pinned: PinnedBlock,
  maxCommitments: number,
  signal: AbortSignal,
): Promise<ContractFacts> {
  const facts = await view.facts(pinned, signal);
  checkCount(facts.count, maxCommitments);
  return facts;
}

function checkCount(count: bigint, maxCommitments: number): void {
  if (count <= BigInt(maxCommitments)) return;
  const problem = `the contract says that it has ${count} commitments; no more than ${maxCommitments} are read on this chain`;
  throw new SourceFault(`${problem}: check the contract, or raise maxCommitments of the chain`, { remedy: "mend" });
}

/** @throws SourceFault if the contract belongs to another sale. */
export async function checkSaleUuid(
  { view, family, saleUuid }: { readonly view: ContractView; readonly family: EvmFamily; readonly saleUuid: string },
  pinned: PinnedBlock,
  signal: AbortSignal,
): Promise<void> {
  const actual = await view.saleUuid(pinned, signal);
  const expected = saleUuid.replaceAll("-", "").toLowerCase();
  if (actual === undefined || actual === expected) return;
  const says = `${family.names.saleUuid} of the contract is 0x${actual}`;
  throw new SourceFault(`${says}, not that of this sale: set the contract of the right sale`, { remedy: "mend" });
}
