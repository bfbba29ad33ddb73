import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { ConnectError } from "@connectrpc/connect";
import { HAS_CHAIN_ID } from "../../../common/chains/base/chain-family.ts";
import { PLAN_PATH, planFiles, SUMS_PATH, sumLine } from "../../../common/contracts/reference/plan-files.ts";
import { type UnknownCalls, unknownCalls } from "../../../common/contracts/reference/settlement-files.ts";
import { readSettlementBook, type UnreadBook } from "../../../common/internal-api/read-settlement-book.ts";
import { bytesOfHex } from "../../../common/platform/encoding/hex.ts";
import type { SourceLocation } from "../../../common/sale/definition/source-location.ts";
import { allocationsOf } from "../../../common/sale/settlement/allocations-of.ts";
import { type FounderLists, type ListedBook, listedBook } from "../../../common/sale/settlement/listed-book.ts";
import { figureDifferences } from "../../../common/sale/settlement/published-figures.ts";
import { type Settlement, settle } from "../../../common/sale/settlement/settle.ts";
import type { SettlementBook } from "../../../common/sale/settlement/settlement-book.ts";
import type { DashboardDependencies } from "../base/dashboard-dependencies.ts";
import type { FounderSale } from "../base/founder-sale.ts";
import type { IndexerClient } from "../base/indexer-client.ts";
import type { ArchivedFile } from "./zip-archive.ts";

/**
 * The most amounts of a sale whose plan is made here. So many take this process 0.2 s, in which nobody else gets an answer; the operator's
 * command makes larger plans.
 */
export const MAX_AMOUNTS = 5_000;
/** Deadline of a plan, for which a user waits. */
const TIMEOUT_MS = 30_000;

/** The lists and the size of calls that a plan is made with. */
export interface PlanRequest {
  readonly lists: FounderLists;
  /** The most allocations of a call. */
  readonly batchSize: number;
}

/** A file of a plan. */
export interface MadeFile extends ArchivedFile {
  /** SHA-256, hex. */
  readonly hash: string;
  readonly isCall: boolean;
}

/** A plan, as the operator's command makes it. */
export interface MadePlan extends Pick<ListedBook, "unmatched"> {
  readonly settlement: Settlement;
  readonly allocations: number;
  /** Those of the command's folder, in its order; the list of sums is the last. */
  readonly files: readonly MadeFile[];
  /** SHA-256 of the plan, hex. */
  readonly hash: string;
  /** Why it has no calls; undefined where it has. */
  readonly noCalls: NoCalls | undefined;
  /** The source's warning; empty for none. */
  readonly warning: string;
}

/** Why a plan has no calls. */
export type NoCalls =
  | { readonly reason: "no_contract" | Exclude<UnknownCalls, "other_version"> }
  | { readonly reason: "other_version"; readonly version: number };

/** Why there is no plan. */
export type NoPlan =
  | UnreadBook
  /** The block isn't final, for people and in English. */
  | { readonly reason: "not final"; readonly problem: string }
  /** Nobody says whether the block is final, or of which version the contract is. */
  | { readonly reason: "nobody says" }
  | { readonly reason: "too many checks" }
  | { readonly reason: "other figures" };

/** Works out the plan of a sale, and makes its files. @throws what calls of the commitments service throw */
export async function makePlan(
  { sale, founder }: FounderSale,
  { lists, batchSize }: PlanRequest,
  dependencies: DashboardDependencies,
): Promise<MadePlan | NoPlan> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const { headers = {} } = founder.atCommitments;
  const read = await readSettlementBook(sale.uuid, dependencies.dashboard, {
    signal,
    headers,
    maxAmounts: MAX_AMOUNTS,
  });
  if ("reason" in read) return read;
  const { location, warning, published } = read;
  const chain = await checkedChain(read.book, location, { accountUuid: founder.account.uuid, signal }, dependencies);
  if (chain.noPlan !== undefined) return chain.noPlan;
  const { book, unmatched } = listedBook(read.book, lists);
  const settlement = settle(book);
  if (figureDifferences(settlement, published).length > 0) return { reason: "other figures" };
  const allocations = allocationsOf(settlement.commitments);
  const { noCalls } = chain;
  const purpose = { hasCalls: noCalls === undefined, batchSize };
  const files = await filesOf(planFiles(settlement, allocations, purpose));
  const hash = files.find(({ path }) => path === PLAN_PATH)?.hash ?? "";
  return { settlement, allocations: allocations.length, files, hash, noCalls, unmatched, warning };
}

async function filesOf(planned: ReturnType<typeof planFiles>): Promise<readonly MadeFile[]> {
  const files: MadeFile[] = [];
  for await (const { path, texts, isCall } of planned) {
    files.push(fileOf(path, [...texts].join(""), isCall));
    // Others get their turn.
    await new Promise(setImmediate);
  }
  const sums = files.map(({ path, hash }) => sumLine(path, hash));
  return [...files, fileOf(SUMS_PATH, sums.join(""), false)];
}

function fileOf(path: string, text: string, isCall: boolean): MadeFile {
  const bytes = Buffer.from(text, "utf8");
  return { path, bytes, hash: createHash("sha256").update(bytes).digest("hex"), isCall };
}

/** The chain's answer about a sale: that no plan can be made, or whether there are calls. */
type CheckedChain =
  | { readonly noPlan: NoPlan; readonly noCalls?: never }
  | { readonly noPlan?: never; readonly noCalls: NoCalls | undefined };

async function checkedChain(
  { input: { source } }: SettlementBook,
  location: SourceLocation | undefined,
  { accountUuid, signal }: { readonly accountUuid: string; readonly signal: AbortSignal },
  { dashboard: { indexer, checkLimit } }: DashboardDependencies,
): Promise<CheckedChain> {
  if (source === undefined || location === undefined) return { noCalls: { reason: "no_contract" } };
  if (indexer === undefined || (HAS_CHAIN_ID[location.family] && source.chainId === undefined)) {
    return { noPlan: { reason: "nobody says" } };
  }
  if (!checkLimit.take(accountUuid)) return { noPlan: { reason: "too many checks" } };
  const { chain, height, hash } = source;
  const position = { height, hash: new Uint8Array(bytesOfHex(hash)) };
  try {
    const { problem } = await indexer.checkFinality({ chain, position }, { signal });
    if (problem !== "") return { noPlan: { reason: "not final", problem } };
    return await checkedCalls(location, indexer, signal);
  } catch (error) {
    // The indexer doesn't answer, or is of the version before, or its nodes don't know.
    if (error instanceof ConnectError) return { noPlan: { reason: "nobody says" } };
    throw error;
  }
}

async function checkedCalls(
  location: SourceLocation,
  indexer: IndexerClient,
  signal: AbortSignal,
): Promise<CheckedChain> {
  const { chain, address, contractVersion: declared } = location;
  const request = { chain, address, contractVersion: declared ?? 0 };
  const { readable, contractVersion } = await indexer.checkSource(request, { signal });
  if (!readable) return { noPlan: { reason: "nobody says" } };
  return { noCalls: noCallsOf(location, contractVersion === 0 ? declared : contractVersion) };
}

function noCallsOf({ family }: SourceLocation, version: number | undefined): NoCalls | undefined {
  const reason = unknownCalls(family, version);
  if (reason === "other_version") return { reason, version: version ?? 0 };
  return reason && { reason };
}
