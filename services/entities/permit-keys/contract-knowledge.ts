import { ConnectError } from "@connectrpc/connect";
import { formatWallet } from "../../../common/chains/wallet.ts";
import { contractFamilyMessage } from "../../../common/sale/definition/contract-family.ts";
import { CONTRACT_CHECK_DEADLINE_MS } from "../base/lifetimes.ts";
import type { SaleFacts } from "../base/sale-facts.ts";
import type { Upstreams } from "../base/upstreams.ts";
import type { PermitKey } from "./permit-key.ts";

/** Whether a sale's contract accepts permits of a key. */
export interface ContractKnowledge {
  /** Absent if the contract can't be asked. */
  readonly accepted?: boolean;
  /** Why it can't, as a text for people; empty otherwise. */
  readonly problem: string;
}

/** Asks a sale's contract, by the indexer, whether it accepts permits of a key. Never fails: the problem is in the answer. */
export async function contractKnowledge(
  { indexer }: Pick<Upstreams, "indexer">,
  { chain, contract, contractFamily }: Pick<SaleFacts, "chain" | "contract" | "contractFamily">,
  key: Pick<PermitKey, "kind" | "chain" | "address">,
): Promise<ContractKnowledge> {
  if (chain !== key.chain || contract === undefined)
    return { problem: `the sale isn't on the chain ${key.chain} any more` };
  const signer = formatWallet({ kind: key.kind, bytes: key.address });
  try {
    const { accepted, problem } = await indexer.checkPermitSigner(
      { chain, address: contract, signer, family: contractFamilyMessage(contractFamily) },
      { timeoutMs: CONTRACT_CHECK_DEADLINE_MS },
    );
    return accepted === undefined ? { problem } : { accepted, problem };
  } catch (error) {
    return { problem: unaskedProblem(error) };
  }
}

/** Returns why a contract couldn't be asked by the indexer, as a text for people. */
export function unaskedProblem(error: unknown): string {
  return `the contract can't be asked: ${ConnectError.from(error).rawMessage}`;
}
