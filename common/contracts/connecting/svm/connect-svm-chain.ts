import type { SvmChain } from "../../../chains/base/chain.ts";
import { sourceChainOf } from "../../../chains/explorer-links.ts";
import { HeadComparison, withRefusedMethods } from "../../../chains/nodes/head-comparison.ts";
import { checkSvmTokens } from "../../../chains/svm/check-svm-tokens.ts";
import { comparedNodes } from "../../../chains/svm/compared-nodes.ts";
import { FailoverTransport, type TransportOptions } from "../../../chains/svm/failover-transport.ts";
import { SharedAccounts } from "../../../chains/svm/shared-accounts.ts";
import { slotFinalityProblem } from "../../../chains/svm/slot-finality.ts";
import { createSvmRpc } from "../../../chains/svm/svm-rpc.ts";
import type { ChainConnection } from "../../chain-connection.ts";
import { createSvmReader } from "../../reading/svm/svm-reader.ts";
import { checkSvmSigner } from "../../reference/svm/check-svm-signer.ts";
import { checkSvmSource } from "../../reference/svm/check-svm-source.ts";

/** Connects to a Solana chain. It is only polled, because a new slot every 400 ms says nothing about a sale. */
export function connectSvmChain(chain: SvmChain, options: TransportOptions = {}): ChainConnection {
  const transport = new FailoverTransport(chain, options);
  const rpc = createSvmRpc(transport);
  const sharedAccounts = new SharedAccounts(chain, rpc, options.now);
  const maxLag = BigInt(chain.maxHeadLag);
  const comparison = new HeadComparison(comparedNodes(chain, transport, maxLag / 2n), { maxLag, unit: "slots" });
  return {
    pollIntervalMs: chain.pollIntervalMs,
    shown: (address) => sourceChainOf(chain, address),
    createReader: (target) =>
      createSvmReader({
        chain,
        target,
        rpc,
        sharedAccounts,
        confirmCluster: (used, signal) => transport.confirmCluster(used, signal),
      }),
    onHead: () => {
      comparison.follow();
      return () => {};
    },
    nodeHeads: () => withRefusedMethods(comparison.heads(), transport.refusedMethods()),
    check: ({ address }, signal) => checkSvmSource(chain, address, rpc, signal),
    checkTokens: (addresses, signal) => checkSvmTokens(chain, addresses, rpc, signal),
    checkSigner: (target, signal) => checkSvmSigner(chain, target, rpc, signal),
    checkFinality: ({ height }, signal) => slotFinalityProblem(rpc, height, signal),
    close: () => comparison.stop(),
  };
}
