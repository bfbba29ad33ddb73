import type { EvmChain } from "../../../chains/base/chain.ts";
import { blockFinalityProblem } from "../../../chains/evm/block-finality.ts";
import { BlockTimes } from "../../../chains/evm/block-times.ts";
import { checkEvmAccountSignature } from "../../../chains/evm/check-evm-account-signature.ts";
import { checkEvmTokens } from "../../../chains/evm/check-evm-tokens.ts";
import { comparedNodes } from "../../../chains/evm/compared-nodes.ts";
import { contractCode } from "../../../chains/evm/contract-code.ts";
import { isEvmAddress } from "../../../chains/evm/evm-address.ts";
import { type EndpointOptions, EvmEndpoint } from "../../../chains/evm/evm-endpoint.ts";
import { HeadTracker } from "../../../chains/evm/head-tracker.ts";
import { PinnedBlock } from "../../../chains/evm/pinned-block.ts";
import { RecentHeaders } from "../../../chains/evm/recent-headers.ts";
import { SharedLogs } from "../../../chains/evm/shared-logs.ts";
import { sourceChainOf } from "../../../chains/explorer-links.ts";
import { HeadComparison, withProblems, withRefusedMethods } from "../../../chains/nodes/head-comparison.ts";
import { untilAborted } from "../../../platform/concurrency/until-aborted.ts";
import type { BidExits, ExitTarget } from "../../bid-exits.ts";
import type { ChainConnection, SignerCheck, SignerTarget } from "../../chain-connection.ts";
import type { FamilyNames } from "../../evm-family.ts";
import { checkEvmSource } from "../../reading/evm/check-evm-source.ts";
import { createEvmReader } from "../../reading/evm/evm-reader.ts";
import { noSecondQuestions } from "../../second-questions.ts";
import { askFamily, evmFamilyOf } from "./contract-families.ts";

/** Connects to an EVM chain. Its nodes aren't asked anything before the first use. */
export function connectEvmChain(chain: EvmChain, options: Pick<EndpointOptions, "warn"> = {}): ChainConnection {
  const now = () => performance.now();
  const endpoint = new EvmEndpoint(chain, { ...options, now });
  const heads = new HeadTracker(chain, endpoint, now);
  const headers = new RecentHeaders(endpoint);
  const times = new BlockTimes(endpoint, headers);
  const maxLag = BigInt(chain.maxHeadLag);
  const comparison = new HeadComparison(comparedNodes(endpoint, maxLag / 2n), { maxLag, unit: "blocks" });
  const { pollIntervalMs, chunkRows, sweepIntervalMs, maxCommitments } = chain;
  const secondQuestions = noSecondQuestions();
  const sharedLogs = new SharedLogs({ endpoint, pollIntervalMs, now });
  const limits = { chunkRows, sweepIntervalMs, maxCommitments };
  const shared = { endpoint, heads, headers, times, secondQuestions, sharedLogs, ...limits, now };
  const families = { of: evmFamilyOf, ask: askFamily };
  return {
    pollIntervalMs,
    shown: (address) => sourceChainOf(chain, address),
    createReader: ({ address, saleUuid, contractFamily }) => {
      const family = evmFamilyOf(contractFamily);
      return createEvmReader({ ...shared, family, contract: address.toLowerCase(), saleUuid });
    },
    onHead: (listener) => {
      comparison.follow();
      return heads.onHead(listener);
    },
    nodeHeads: () => {
      const compared = withProblems(withProblems(comparison.heads(), endpoint.problems()), heads.finalityProblems());
      return withRefusedMethods(compared, endpoint.refusedMethods());
    },
    isFinalContradicted: () => heads.isFinalContradicted,
    secondQuestions: () => secondQuestions,
    check: (target, signal) => checkEvmSource({ ...shared, families }, target, signal),
    checkTokens: (addresses, signal) => checkEvmTokens(shared, addresses, signal),
    checkSigner: (target, signal) => checkEvmSigner(shared, target, signal),
    bidExits: (target, signal) => readBidExits(shared, target, signal),
    checkFinality: (position, signal) => blockFinalityProblem(endpoint, position, signal),
    checkAccountSignature: (signature, signal) => checkEvmAccountSignature(endpoint, signature, signal),
    async close() {
      sharedLogs.stop();
      await Promise.all([heads.stop(), comparison.stop()]);
    },
  };
}

interface EvmNodes {
  readonly endpoint: EvmEndpoint;
  readonly heads: HeadTracker;
}

/** Asks a contract at the newest block whether it accepts purchase permits of a signer. @throws SourceFault if the nodes don't answer */
async function checkEvmSigner(
  { endpoint, heads }: EvmNodes,
  { address, signer, contractFamily }: SignerTarget,
  signal: AbortSignal,
): Promise<SignerCheck> {
  if (!isEvmAddress(address)) return { problem: "the contract's address must be 0x and 40 hex digits" };
  if (!isEvmAddress(signer)) return { problem: "the signer must be 0x and 40 hex digits" };
  const contract = address.toLowerCase();
  // Bids meet the newest block, whatever the chain's confirmations, and somebody may have granted the role just now.
  const { newest } = await untilAborted(heads.refresh(), signal);
  const pinned = new PinnedBlock(endpoint, contract, newest);
  const family = evmFamilyOf(contractFamily);
  const accepted = await family.acceptsSigner(pinned, signer, signal);
  await pinned.verify(signal);
  if (accepted !== undefined) return { accepted };
  const { isPresent } = await contractCode(endpoint, contract, signal);
  return { problem: isPresent ? noRoles(contract, family.names) : noContract(contract) };
}

async function readBidExits(
  { endpoint, heads }: EvmNodes,
  { address, contractFamily }: ExitTarget,
  signal: AbortSignal,
): Promise<BidExits | undefined> {
  const { readable } = await untilAborted(heads.refresh(), signal);
  const pinned = new PinnedBlock(endpoint, address.toLowerCase(), readable);
  const exits = await evmFamilyOf(contractFamily).bidExits?.(pinned, signal);
  await pinned.verify(signal);
  return exits;
}

function noContract(contract: string): string {
  return `there is no contract at ${contract} on this chain: check the address and the chain of the sale`;
}

function noRoles(contract: string, { acceptsSigner }: FamilyNames): string {
  return `the contract at ${contract} doesn't answer ${acceptsSigner}, so nobody can ask it which signers it accepts: check that it verifies purchase permits`;
}
