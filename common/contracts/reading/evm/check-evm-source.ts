import { Buffer } from "node:buffer";
import { SourceFault } from "../../../chains/base/source-fault.ts";
import type { Block } from "../../../chains/evm/block.ts";
import { isEvmAddress } from "../../../chains/evm/evm-address.ts";
import { PinnedBlock } from "../../../chains/evm/pinned-block.ts";
import { uuidFromBytes } from "../../../platform/encoding/uuid.ts";
import type { ContractFamily } from "../../../sale/definition/contract-family.ts";
import type { AuctionCheck, CheckTarget, SourceCheck } from "../../chain-connection.ts";
import type { ContractSettings } from "../../contract-facts.ts";
import type { ContractView, EvmFamily } from "../../evm-family.ts";
import { checkAuction } from "./check-auction.ts";
import { ChunkSize } from "./chunk-size.ts";
import type { EvmReaderOptions } from "./evm-reader.ts";
import { explainFault, isRefusal } from "./explain-fault.ts";
import { IdSet } from "./id-set.ts";
import { readFacts } from "./read-facts.ts";
import { RowReader } from "./row-reader.ts";
import { requireNew } from "./sweep.ts";

/** The families of contracts that the address may hold one of. */
export interface CheckedFamilies {
  /** @param family undefined for that of the reference contract */
  of(family: ContractFamily | undefined): EvmFamily;
  /** Asks a contract that isn't of the reference contract's family of which one it is; undefined for none that is known. */
  ask(pinned: PinnedBlock, signal: AbortSignal): Promise<ContractFamily | undefined>;
}

interface CheckOptions extends Pick<EvmReaderOptions, "endpoint" | "heads" | "times" | "maxCommitments" | "chunkRows"> {
  readonly families: CheckedFamilies;
}

/**
 * Checks whether a sale can be read from the contract at an address, and reads a summary of it. Where nobody says its family, the
 * contract is asked, at the same block.
 *
 * @throws only the signal's reason once that is aborted; every fault of the source is returned in `problems`.
 */
export async function checkEvmSource(
  options: CheckOptions,
  { address, contractVersion, contractFamily }: CheckTarget,
  signal: AbortSignal,
): Promise<SourceCheck> {
  const { endpoint, heads, families } = options;
  const nothing = { readable: false, commitmentCount: 0n, paymentTokens: [], height: 0n };
  if (!isEvmAddress(address)) return { ...nothing, problems: ["the address must be 0x and 40 hex digits"] };
  const contract = address.toLowerCase();
  const settings = contractVersion === undefined ? {} : { contractVersion };
  let family = contractFamily;
  try {
    const { readable: block } = await heads.current(signal);
    const check = () => checkAt(options, { contract, block, settings, contractFamily: family }, signal);
    if (family !== undefined) return await check();
    try {
      return await check();
    } catch (error) {
      family = isRefusal(error) ? await families.ask(new PinnedBlock(endpoint, contract, block), signal) : undefined;
      if (family === undefined) throw error;
      return await check();
    }
  } catch (error) {
    signal.throwIfAborted();
    const fault = await explainFault(error, { endpoint, contract, family: families.of(family) }, signal);
    if (!(fault instanceof SourceFault)) throw fault;
    return { ...nothing, problems: [fault.message] };
  }
}

interface CheckedContract {
  readonly contract: string;
  readonly block: Block;
  readonly settings: ContractSettings;
  readonly contractFamily: ContractFamily | undefined;
}

/** Checks a contract as one of a family. @throws SourceFault */
async function checkAt(
  { endpoint, times, families, maxCommitments, chunkRows }: CheckOptions,
  { contract, block, settings, contractFamily }: CheckedContract,
  signal: AbortSignal,
): Promise<SourceCheck> {
  const family = families.of(contractFamily);
  const pinned = new PinnedBlock(endpoint, contract, block);
  const view = await family.view({ use: "once", times });
  const summary = await readSummary(pinned, { family, view, maxCommitments, settings }, signal);
  await readFirstChunk(pinned, view, summary.commitmentCount, chunkRows, signal);
  const terms = await family.statedTerms?.(pinned, signal);
  const auction = terms && (await checkAuction(endpoint, terms, block, signal));
  await pinned.verify(signal);
  return {
    readable: true,
    height: block.number,
    ...summary,
    problems: [...summary.problems, ...(auction === undefined ? [] : tokenProblems(auction))],
    ...(contractFamily === undefined ? {} : { contractFamily }),
    ...(auction === undefined ? {} : { auction }),
  };
}

function tokenProblems({ currency, token }: AuctionCheck): readonly string[] {
  return [currency.problem, token.problem].filter((problem) => problem !== undefined);
}

interface SummaryOptions {
  readonly family: EvmFamily;
  readonly view: ContractView;
  readonly maxCommitments: number;
  readonly settings: ContractSettings;
}

async function readSummary(
  pinned: PinnedBlock,
  { family, view, maxCommitments, settings }: SummaryOptions,
  signal: AbortSignal,
): Promise<Omit<SourceCheck, "readable" | "height">> {
  const { count, stageNumber } = await readFacts(view, pinned, maxCommitments, signal);
  const [release, saleUuid, paymentTokens, maxWalletsPerEntity] = await Promise.all([
    view.release(pinned, signal),
    view.saleUuid(pinned, signal),
    view.paymentTokens(pinned, signal),
    view.maxWalletsPerEntity(pinned, signal),
    // The first row, or an empty range: its failure says whether this is a sale contract at all.
    view.rows(pinned, { from: 0n, to: count > 0n ? 1n : 0n }, signal),
  ]);
  const numbered = stageNumber === undefined ? {} : { stageNumber };
  const statements = { ...numbered, ...(release === undefined ? {} : { release }) };
  const { warnings, ...meaning } = family.meaningOf(statements, settings);
  return {
    problems: [...warnings, ...view.warnings],
    commitmentCount: count,
    ...numbered,
    ...meaning,
    ...(release === undefined ? {} : { contractVersion: release[0] }),
    ...(saleUuid === undefined ? {} : { saleUuid: uuidFromBytes(Buffer.from(saleUuid, "hex")) }),
    paymentTokens: paymentTokens ?? [],
    ...(maxWalletsPerEntity === undefined ? {} : { maxWalletsPerEntity }),
  };
}

/** Reads the first chunk as a sweep does. @throws SourceFault if a sweep would. */
async function readFirstChunk(
  pinned: PinnedBlock,
  view: ContractView,
  count: bigint,
  chunkRows: number,
  signal: AbortSignal,
): Promise<void> {
  const reader = new RowReader({ pinned, view, chunkSize: new ChunkSize(chunkRows) });
  const to = count < BigInt(chunkRows) ? count : BigInt(chunkRows);
  const ids = new IdSet();
  for (const { commitmentId } of await reader.rows({ from: 0n, to }, signal)) requireNew(ids, commitmentId);
}
