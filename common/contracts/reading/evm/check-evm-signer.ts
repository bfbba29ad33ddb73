import { callOrAbsent } from "../../../chains/evm/call-or-absent.ts";
import type { EvmEndpoint } from "../../../chains/evm/evm-endpoint.ts";
import type { HeadTracker } from "../../../chains/evm/head-tracker.ts";
import { PinnedBlock } from "../../../chains/evm/pinned-block.ts";
import { untilAborted } from "../../../platform/concurrency/until-aborted.ts";
import type { SignerCheck, SignerTarget } from "../../chain-connection.ts";
import { hasSignerRole } from "../../reference/evm/role-calls.ts";

const ADDRESS = /^0x[0-9a-fA-F]{40}$/;

export interface EvmSignerOptions {
  readonly endpoint: EvmEndpoint;
  readonly heads: HeadTracker;
}

/** Asks a contract at the newest block whether a signer has `PURCHASE_PERMIT_SIGNER_ROLE`. @throws SourceFault if the nodes don't answer */
export async function checkEvmSigner(
  { endpoint, heads }: EvmSignerOptions,
  { address, signer }: SignerTarget,
  signal: AbortSignal,
): Promise<SignerCheck> {
  if (!ADDRESS.test(address)) return { problem: "the contract's address must be 0x and 40 hex digits" };
  if (!ADDRESS.test(signer)) return { problem: "the signer must be 0x and 40 hex digits" };
  const contract = address.toLowerCase();
  // Bids meet the newest block, whatever the chain's confirmations, and somebody may have granted the role just now.
  const { newest } = await untilAborted(heads.refresh(), signal);
  const pinned = new PinnedBlock(endpoint, contract, newest);
  const accepted = await callOrAbsent(pinned, hasSignerRole(signer), signal);
  await pinned.verify(signal);
  if (accepted !== undefined) return { accepted };
  const code = await endpoint.request("eth_getCode", [contract, "latest"], signal);
  return { problem: code === "0x" ? noContract(contract) : noRoles(contract) };
}

function noContract(contract: string): string {
  return `there is no contract at ${contract} on this chain: check the address and the chain of the sale`;
}

function noRoles(contract: string): string {
  return `the contract at ${contract} doesn't answer hasRole(bytes32,address), so nobody can ask it which signers it accepts: check that it verifies purchase permits`;
}
