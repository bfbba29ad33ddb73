import { failureWords } from "../platform/checks/failure-words.ts";
import { about, ok, type ProbeFinding } from "../platform/checks/finding.ts";
import type { Probe, ProbeContext } from "../platform/checks/run-probes.ts";
import { serverCertificateFindings } from "../platform/checks/server-certificate.ts";
import { untilAborted } from "../platform/concurrency/until-aborted.ts";
import type { Chain, Chains } from "./base/chain.ts";
import type { ChainFamily } from "./base/chain-family.ts";
import type { CheckedNode, CheckedNodes } from "./base/checked-node.ts";
import { SourceFault } from "./base/source-fault.ts";
import { checkedEvmNodes } from "./evm/checked-evm-nodes.ts";
import { HEIGHT_UNITS } from "./heights.ts";
import { type AskedNode, judgeNodes } from "./nodes/judge-nodes.ts";
import { checkedSvmNodes } from "./svm/checked-svm-nodes.ts";

/** Below the probe's own deadline, so that one node that hangs doesn't hide what the others answered. */
const NODE_TIMEOUT_MS = 12_000;

const NODES: { readonly [Family in ChainFamily]: CheckedNodes<Chains[Family]> } = {
  evm: checkedEvmNodes,
  svm: checkedSvmNodes,
};

/** A check of each node of each chain: reach, chain, the head's age, and the lag behind the others. @param read throws ConfigError */
export function chainsProbe(read: () => readonly Chain[]): Probe {
  return {
    subject: "chains",
    async run(context) {
      const chains = read();
      if (chains.length === 0) return [ok("there are none, as CHAINS isn't set")];
      return (await Promise.all(chains.map((chain) => chainFindings(chain, context)))).flat();
    },
  };
}

async function chainFindings(chain: Chain, { signal, nowMs }: ProbeContext): Promise<readonly ProbeFinding[]> {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(NODE_TIMEOUT_MS)]);
  const nodes = nodesOf(chain);
  const certificates = Promise.all(nodes.map((node) => certificateFindings(chain, node, limit, nowMs)));
  const asked = await Promise.all(nodes.map((node) => askNode(node, limit)));
  const judged = { name: chain.name, unit: HEIGHT_UNITS[chain.family], maxHeadLag: chain.maxHeadLag };
  return [...judgeNodes(judged, asked, nowMs()), ...(await certificates).flat()];
}

function nodesOf(chain: Chain): readonly CheckedNode[] {
  return chain.family === "evm" ? NODES.evm(chain) : NODES.svm(chain);
}

async function askNode({ host, isRead, ask }: CheckedNode, signal: AbortSignal): Promise<AskedNode> {
  try {
    return { host, isRead, head: await untilAborted(ask(signal), signal) };
  } catch (error) {
    return { host, isRead, failure: failureOf(error, signal) };
  }
}

function failureOf(error: unknown, signal: AbortSignal): NonNullable<AskedNode["failure"]> {
  if (error instanceof SourceFault) return { text: error.message, isSetting: error.remedy === "mend" };
  const text = signal.aborted ? `no answer within ${NODE_TIMEOUT_MS / 1_000} s` : failureWords(error);
  return { text, isSetting: false };
}

/** A certificate that isn't accepted has failed the request, whose finding says so. */
async function certificateFindings(
  { name }: Chain,
  { url, host }: CheckedNode,
  signal: AbortSignal,
  nowMs: () => number,
): Promise<readonly ProbeFinding[]> {
  const findings = await serverCertificateFindings(url, undefined, signal, nowMs).catch(() => []);
  return about(`chain ${name}, ${host}`, findings);
}
