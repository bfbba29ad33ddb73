import type { EvmChain } from "../chains/chain.ts";
import { HeadComparison } from "../nodes/head-comparison.ts";
import type { ChainConnection } from "../source/chain-connection.ts";
import { sourceChainOf } from "../source/source-chain.ts";
import { checkEvmAccountSignature } from "./check-evm-account-signature.ts";
import { checkEvmSigner } from "./check-evm-signer.ts";
import { checkEvmSource } from "./check-evm-source.ts";
import { checkEvmTokens } from "./check-evm-tokens.ts";
import { comparedNodes } from "./nodes/compared-nodes.ts";
import { EvmEndpoint } from "./nodes/evm-endpoint.ts";
import { HeadTracker } from "./nodes/head-tracker.ts";
import { createEvmReader } from "./reading/evm-reader.ts";

/** Connects to an EVM chain. Its nodes aren't asked anything before the first use. */
export function connectEvmChain(chain: EvmChain): ChainConnection {
  const now = () => performance.now();
  const endpoint = new EvmEndpoint(chain, { now });
  const heads = new HeadTracker(chain, endpoint, now);
  const maxLag = BigInt(chain.maxHeadLag);
  const comparison = new HeadComparison(comparedNodes(endpoint, maxLag / 2n), { maxLag, unit: "blocks" });
  const { pollIntervalMs, chunkRows, sweepIntervalMs, maxCommitments } = chain;
  const shared = { endpoint, heads, chunkRows, sweepIntervalMs, maxCommitments, now };
  return {
    pollIntervalMs,
    shown: (address) => sourceChainOf(chain, address),
    createReader: ({ address, saleUuid }) => createEvmReader({ ...shared, contract: address.toLowerCase(), saleUuid }),
    onHead: (listener) => {
      comparison.follow();
      return heads.onHead(listener);
    },
    nodeHeads: () => comparison.heads(),
    check: (target, signal) => checkEvmSource(shared, target, signal),
    checkTokens: (addresses, signal) => checkEvmTokens(shared, addresses, signal),
    checkSigner: (target, signal) => checkEvmSigner(shared, target, signal),
    checkAccountSignature: (signature, signal) => checkEvmAccountSignature(endpoint, signature, signal),
    async close() {
      await Promise.all([heads.stop(), comparison.stop()]);
    },
  };
}
