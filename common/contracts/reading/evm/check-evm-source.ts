import { Buffer } from "node:buffer";
import { SourceFault } from "../../../chains/base/source-fault.ts";
import { BlockTimes } from "../../../chains/evm/block-times.ts";
import { isEvmAddress } from "../../../chains/evm/evm-address.ts";
import { PinnedBlock } from "../../../chains/evm/pinned-block.ts";
import { uuidFromBytes } from "../../../platform/encoding/uuid.ts";
import type { CheckTarget, SourceCheck } from "../../chain-connection.ts";
import type { ContractSettings } from "../../contract-facts.ts";
import type { ContractView, EvmFamily } from "../../evm-family.ts";
import { ChunkSize } from "./chunk-size.ts";
import type { EvmReaderOptions } from "./evm-reader.ts";
import { explainFault } from "./explain-fault.ts";
import { IdSet } from "./id-set.ts";
import { readFacts } from "./read-facts.ts";
import { RowReader } from "./row-reader.ts";
import { requireNew } from "./sweep.ts";

type CheckOptions = Pick<
  EvmReaderOptions,
  "endpoint" | "heads" | "headers" | "family" | "maxCommitments" | "chunkRows"
>;

/**
 * Checks whether a sale can be read from the contract at an address, and reads a summary of it.
 *
 * @throws only the signal's reason once that is aborted; every fault of the source is returned in `problems`.
 */
export async function checkEvmSource(
  { endpoint, heads, headers, family, maxCommitments, chunkRows }: CheckOptions,
  { address, contractVersion }: CheckTarget,
  signal: AbortSignal,
): Promise<SourceCheck> {
  const nothing = { readable: false, commitmentCount: 0n, paymentTokens: [], height: 0n };
  if (!isEvmAddress(address)) return { ...nothing, problems: ["the address must be 0x and 40 hex digits"] };
  const contract = address.toLowerCase();
  try {
    const { readable } = await heads.current(signal);
    const pinned = new PinnedBlock(endpoint, contract, readable);
    const view = await family.view({ use: "once", times: new BlockTimes(endpoint, headers) });
    const settings = contractVersion === undefined ? {} : { contractVersion };
    const summary = await readSummary(pinned, { family, view, maxCommitments, settings }, signal);
    await readFirstChunk(pinned, view, summary.commitmentCount, chunkRows, signal);
    await pinned.verify(signal);
    return { readable: true, height: readable.number, ...summary };
  } catch (error) {
    signal.throwIfAborted();
    const fault = await explainFault(error, { endpoint, contract, family }, signal);
    if (!(fault instanceof SourceFault)) throw fault;
    return { ...nothing, problems: [fault.message] };
  }
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
