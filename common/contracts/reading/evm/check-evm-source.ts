import { Buffer } from "node:buffer";
import { SourceFault } from "../../../chains/base/source-fault.ts";
import { isEvmAddress } from "../../../chains/evm/evm-address.ts";
import { PinnedBlock } from "../../../chains/evm/pinned-block.ts";
import { uuidFromBytes } from "../../../platform/encoding/uuid.ts";
import type { CheckTarget, SourceCheck } from "../../chain-connection.ts";
import { type ContractSettings, meaningOf } from "../../reference/evm/contract-version.ts";
import { OptionalFunctions, UNUSABLE_ANSWERS_OF_ABSENT } from "../../reference/evm/optional-functions.ts";
import { loadSaleCalls, type SaleCalls } from "../../reference/evm/sale-calls.ts";
import { explainFault, readSaleFacts } from "../../reference/evm/sale-facts.ts";
import { ChunkSize } from "./chunk-size.ts";
import type { EvmReaderOptions } from "./evm-reader.ts";
import { IdSet } from "./id-set.ts";
import { RowReader } from "./row-reader.ts";
import { requireNew } from "./sweep.ts";

type CheckOptions = Pick<EvmReaderOptions, "endpoint" | "heads" | "maxCommitments" | "chunkRows">;

/**
 * Checks whether a sale can be read from the contract at an address, and reads a summary of it.
 *
 * @throws only the signal's reason once that is aborted; every fault of the source is returned in `problems`.
 */
export async function checkEvmSource(
  { endpoint, heads, maxCommitments, chunkRows }: CheckOptions,
  { address, contractVersion }: CheckTarget,
  signal: AbortSignal,
): Promise<SourceCheck> {
  const nothing = { readable: false, commitmentCount: 0n, paymentTokens: [], height: 0n };
  if (!isEvmAddress(address)) return { ...nothing, problems: ["the address must be 0x and 40 hex digits"] };
  const contract = address.toLowerCase();
  try {
    const { readable } = await heads.current(signal);
    const pinned = new PinnedBlock(endpoint, contract, readable);
    const calls = await loadSaleCalls();
    const settings = contractVersion === undefined ? {} : { contractVersion };
    const summary = await readSummary(pinned, calls, maxCommitments, settings, signal);
    await readFirstChunk(pinned, calls, summary.commitmentCount, chunkRows, signal);
    await pinned.verify(signal);
    return { readable: true, height: readable.number, ...summary };
  } catch (error) {
    signal.throwIfAborted();
    const fault = await explainFault(error, endpoint, contract, signal);
    if (!(fault instanceof SourceFault)) throw fault;
    return { ...nothing, problems: [fault.message] };
  }
}

async function readSummary(
  pinned: PinnedBlock,
  calls: SaleCalls,
  maxCommitments: number,
  settings: ContractSettings,
  signal: AbortSignal,
): Promise<Omit<SourceCheck, "readable" | "height">> {
  const optional = new OptionalFunctions(UNUSABLE_ANSWERS_OF_ABSENT);
  const { count, stageNumber } = await readSaleFacts(pinned, calls, optional, maxCommitments, signal);
  const [release, saleUuid, paymentTokens, maxWalletsPerEntity] = await Promise.all([
    optional.call(pinned, calls.version, signal),
    optional.call(pinned, calls.saleUuid, signal),
    optional.call(pinned, calls.paymentTokens, signal),
    optional.call(pinned, calls.maxWalletsPerEntity, signal),
    // The first row, or an empty range: its failure says whether this is a sale contract at all.
    pinned.call(calls.rows(0n, count > 0n ? 1n : 0n), signal),
  ]);
  const numbered = stageNumber === undefined ? {} : { stageNumber };
  const { warnings, ...meaning } = meaningOf({ ...numbered, ...(release === undefined ? {} : { release }) }, settings);
  return {
    problems: [...warnings, ...optional.warnings],
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
  calls: SaleCalls,
  count: bigint,
  chunkRows: number,
  signal: AbortSignal,
): Promise<void> {
  const reader = new RowReader({ pinned, calls, chunkSize: new ChunkSize(chunkRows) });
  const to = count < BigInt(chunkRows) ? count : BigInt(chunkRows);
  const ids = new IdSet();
  for (const { commitmentId } of await reader.rows({ from: 0n, to }, signal)) requireNew(ids, commitmentId);
}
