import type { EvmChain } from "../../../chains/base/chain.ts";
import { checkEvmAccountSignature } from "../../../chains/evm/check-evm-account-signature.ts";
import { checkEvmTokens } from "../../../chains/evm/check-evm-tokens.ts";
import { comparedNodes } from "../../../chains/evm/compared-nodes.ts";
import { EvmEndpoint } from "../../../chains/evm/evm-endpoint.ts";
import { HeadTracker } from "../../../chains/evm/head-tracker.ts";
import { sourceChainOf } from "../../../chains/explorer-links.ts";
import { HeadComparison } from "../../../chains/nodes/head-comparison.ts";
import type { ChainConnection } from "../../chain-connection.ts";
import { checkEvmSigner } from "./check-evm-signer.ts";
import { checkEvmSource } from "./check-evm-source.ts";
import { createEvmReader } from "./evm-reader.ts";

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
