import { about, failed, ok, type ProbeFinding, warning } from "../../platform/checks/finding.ts";
import type { CheckedHead } from "../base/checked-node.ts";

/** Answers of the nodes of one chain. */
export interface AskedNode {
  readonly host: string;
  /** See `CheckedNode.isRead`. */
  readonly isRead: boolean;
  /** Its head; undefined for a node that only announces heads. */
  readonly head?: CheckedHead | undefined;
  /** The failure, and whether only an operator can mend it. Absent for a node that has answered. */
  readonly failure?: { readonly text: string; readonly isSetting: boolean };
}

export interface JudgedChain {
  readonly name: string;
  /** `block` or `slot`. */
  readonly unit: string;
  readonly maxHeadLag: number;
}

/** The age from which a head is named: most chains have a block within seconds, and the slowest within a minute or two. */
const OLD_SECONDS = 300n;
/** The lead of a head over this process's clock from which it is named. Chains allow some seconds themselves. */
const EARLY_SECONDS = 30n;

/**
 * Judges the nodes of a chain. One that doesn't answer is only a warning while another one does: the process reads from that.
 *
 * @param nowMs this process's clock: milliseconds since 1970
 */
export function judgeNodes(
  { name, unit, maxHeadLag }: JudgedChain,
  nodes: readonly AskedNode[],
  nowMs: number,
): readonly ProbeFinding[] {
  const isReadable = nodes.some(({ isRead, failure }) => isRead && failure === undefined);
  const heights = nodes.map(({ head }) => head?.height ?? 0n);
  const best = heights.toSorted((a, b) => (a > b ? -1 : 1))[0] ?? 0n;
  const judge = ({ isRead, head, failure }: AskedNode): readonly ProbeFinding[] => {
    if (failure !== undefined) return [failureFinding(failure, isReadable)];
    if (head === undefined || !isRead) return [ok("answers by WebSocket, and is of this chain")];
    return headFindings(head, { unit, best, maxLag: BigInt(maxHeadLag) }, nowMs);
  };
  return nodes.flatMap((node) => about(`chain ${name}, ${node.host}`, judge(node)));
}

function failureFinding({ text, isSetting }: NonNullable<AskedNode["failure"]>, isReadable: boolean): ProbeFinding {
  if (isSetting) return failed(text, "correct CHAINS");
  return isReadable
    ? warning(`${text}; others of the chain answer`, "look at the node, or take its URL out of CHAINS")
    : failed(text, "look at the node, and whether this process may reach it");
}

interface Compared {
  readonly unit: string;
  readonly best: bigint;
  readonly maxLag: bigint;
}

function headFindings(
  { height, timeSeconds }: CheckedHead,
  { unit, best, maxLag }: Compared,
  nowMs: number,
): readonly ProbeFinding[] {
  const findings = [...lagFindings(best - height, unit, maxLag), ...ageFindings(timeSeconds, unit, nowMs)];
  return findings.length > 0 ? findings : [ok(`is of this chain, and at ${unit} ${height}`)];
}

function lagFindings(lag: bigint, unit: string, maxLag: bigint): readonly ProbeFinding[] {
  if (lag <= maxLag) return [];
  return [
    warning(`is ${lag} ${unit}s behind another node of the chain`, "wait until it has caught up, or look why not"),
  ];
}

function ageFindings(timeSeconds: bigint | undefined, unit: string, nowMs: number): readonly ProbeFinding[] {
  if (timeSeconds === undefined) return [];
  const age = BigInt(Math.floor(nowMs / 1_000)) - timeSeconds;
  if (age < -EARLY_SECONDS) {
    const text = `its newest ${unit} is ${-age} s ahead of this process's clock`;
    return [warning(text, "keep this machine's clock right by NTP; if it is, the chain's own is wrong")];
  }
  if (age <= OLD_SECONDS) return [];
  const text = `its newest ${unit} is ${age} s old, so the node doesn't follow its chain, or the chain stands still`;
  return [warning(text, "wait until the node is synced, or set the URL of one that is")];
}
