import { type Timestamp, timestampMs } from "@bufbuild/protobuf/wkt";
import type { ProcessStatus } from "../../../common/platform/status/process-status.ts";
import { processLines, processName, type StatusLine } from "../../../common/platform/status/status-lines.ts";
import { countText } from "../../../common/sale/words/number-text.ts";
import { KeyStatus, type SigningKey } from "../../../proto/gen/tidemark/auth/v1/key_service_pb.ts";
import type { Sale } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { faultText, sourceSummary } from "../sales/source-status-text.ts";

/** A process that was asked, with its answer or the reason why there is none. */
export type AskedProcess = { readonly service: string; readonly url: string } & (
  | { readonly status: ProcessStatus }
  | { readonly failure: string }
);

/** An answer, or the reason why there is none. */
export type Answer<Value> = { readonly value: Value } | { readonly failure: string };

/** Facts that the command has asked for. */
export interface SystemFacts {
  readonly processes: readonly AskedProcess[];
  /** The open sales. Absent if the commitments service wasn't asked. */
  readonly sales?: Answer<readonly Sale[]>;
  /** The keys that sign tokens. Absent if the auth service wasn't asked. */
  readonly signingKeys?: Answer<readonly SigningKey[]>;
}

const DAY_MS = 86_400_000;
/** The service of a process that runs everything (`npm start`), a gateway included. */
const EMBEDDED = "tidemark";

/** Judges all processes, and what they say of chains, feeds and keys. */
export function systemLines({ processes, sales, signingKeys }: SystemFacts, nowMs: number): readonly StatusLine[] {
  const answered = uniqueStatuses(processes);
  return [
    ...answered.flatMap((status) => processLines(status)),
    ...processes.flatMap((each) => ("failure" in each ? silentLine(each) : [])),
    ...gatewayLines(processes, answered),
    ...versionLines(answered),
    ...(sales === undefined ? [] : linesOf(sales, "sales", saleLines)),
    ...(signingKeys === undefined ? [] : linesOf(signingKeys, "signing keys", (keys) => keyLines(keys, nowMs))),
  ];
}

/** Whether no process has answered, so that nothing is known. */
export function knowsNothing({ processes }: SystemFacts): boolean {
  return processes.every((each) => "failure" in each);
}

/**
 * A process may have several addresses, and answer for several services. Two may have the same name: in containers with the network of
 * their host, each has the host's name and process ID 1.
 */
function uniqueStatuses(processes: readonly AskedProcess[]): readonly ProcessStatus[] {
  const statuses = processes.flatMap((each) => ("status" in each ? [each.status] : []));
  return [...new Map(statuses.map((status) => [`${processName(status)} ${status.startedAtMs}`, status])).values()];
}

function silentLine({
  service,
  url,
  failure,
}: {
  service: string;
  url: string;
  failure: string;
}): readonly StatusLine[] {
  return [{ level: "wrong", subject: `${service} ${url}`, text: `doesn't answer: ${failure}` }];
}

function gatewayLines(processes: readonly AskedProcess[], statuses: readonly ProcessStatus[]): readonly StatusLine[] {
  const isAsked = processes.some(({ service }) => service === "gateway");
  if (isAsked || statuses.some(({ service }) => service === EMBEDDED)) return [];
  return [
    {
      level: "note",
      subject: "gateway",
      text: "not asked: set GATEWAY_RPC_URL, or see /status on its ADMIN_PORT",
    },
  ];
}

function versionLines(statuses: readonly ProcessStatus[]): readonly StatusLine[] {
  const versions = [...new Set(statuses.map(({ version }) => version))].toSorted();
  if (versions.length < 2) return [];
  return [{ level: "note", subject: "versions", text: `${versions.join(" and ")} run side by side` }];
}

function linesOf<Value>(
  answer: Answer<Value>,
  subject: string,
  judge: (value: Value) => readonly StatusLine[],
): readonly StatusLine[] {
  return "value" in answer ? judge(answer.value) : [{ level: "wrong", subject, text: `unknown: ${answer.failure}` }];
}

function saleLines(sales: readonly Sale[]): readonly StatusLine[] {
  const read = sales.filter(({ definition }) => definition?.source.case !== undefined);
  const count = `${countText(BigInt(sales.length))} open, ${countText(BigInt(read.length))} of them read from a contract`;
  return [{ level: "well", subject: "sales", text: count }, ...headLines(read), ...read.flatMap(feedLine)];
}

/** The greatest head of each chain that a reader of an open sale has reported. */
function headLines(sales: readonly Sale[]): readonly StatusLine[] {
  const heads = new Map<string, bigint>();
  for (const { definition, sourceStatus } of sales) {
    const chain = definition?.source.value?.chain ?? "";
    const head = sourceStatus?.headHeight ?? 0n;
    if (head >= (heads.get(chain) ?? 0n)) heads.set(chain, head);
  }
  return [...heads].map(([chain, head]) => ({
    level: "well",
    subject: `chain ${chain}`,
    text: head === 0n ? "no reader has reported its head yet" : `head at ${countText(head)}`,
  }));
}

/** Returns a line for a feed that stands still or warns. */
function feedLine(sale: Sale): readonly StatusLine[] {
  const [summary, style] = sourceSummary(sale);
  if (style === undefined) return [];
  const fault = faultText(sale);
  const details = [fault === "none" ? "" : fault, sale.sourceStatus?.warning ?? ""].filter((text) => text !== "");
  return [{ level: "wrong", subject: `sale ${sale.uuid}`, text: [summary, ...details].join(": ") }];
}

function keyLines(keys: readonly SigningKey[], nowMs: number): readonly StatusLine[] {
  const active = keys.filter(({ status }) => status === KeyStatus.ACTIVE);
  if (active.length === 0) return [{ level: "wrong", subject: "signing keys", text: "none is active" }];
  return active.map(({ keyId, algorithm, activatedAt, createdAt }) => ({
    level: "well",
    subject: "signing keys",
    text: `${algorithm} ${keyId} has signed for ${daysSince(activatedAt ?? createdAt, nowMs)}`,
  }));
}

function daysSince(time: Timestamp | undefined, nowMs: number): string {
  if (time === undefined) return "an unknown time";
  const days = Math.max(0, Math.floor((nowMs - timestampMs(time)) / DAY_MS));
  return days === 1 ? "1 day" : `${days} days`;
}
