import { Buffer } from "node:buffer";
import { uuidFromBytes } from "../../shared/encoding/uuid.ts";
import type { SourceCheck } from "../source/chain-connection.ts";
import { SourceFault } from "../source/source-fault.ts";
import { OptionalFunctions } from "./contract/optional-functions.ts";
import { PinnedBlock } from "./contract/pinned-block.ts";
import { loadSaleCalls, type SaleCalls, STAGES } from "./contract/sale-calls.ts";
import { explainFault, readSaleFacts } from "./contract/sale-facts.ts";
import type { EvmReaderOptions } from "./reading/evm-reader.ts";

const ADDRESS = /^0x[0-9a-fA-F]{40}$/;

/**
 * Checks whether a sale can be read from the contract at an address, and reads a summary of it.
 *
 * @throws only the signal's reason once that is aborted; every fault of the source is returned in `problems`.
 */
export async function checkEvmSource(
  { endpoint, heads, maxCommitments }: Pick<EvmReaderOptions, "endpoint" | "heads" | "maxCommitments">,
  address: string,
  signal: AbortSignal,
): Promise<SourceCheck> {
  const nothing = { readable: false, commitmentCount: 0n, paymentTokens: [], height: 0n };
  if (!ADDRESS.test(address)) return { ...nothing, problems: ["the address must be 0x and 40 hex digits"] };
  const contract = address.toLowerCase();
  try {
    const { readable } = await heads.current(signal);
    const pinned = new PinnedBlock(endpoint, contract, readable);
    const summary = await readSummary(pinned, await loadSaleCalls(), maxCommitments, signal);
    await pinned.verify(signal);
    return { readable: true, problems: [], height: readable.number, ...summary };
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
  signal: AbortSignal,
): Promise<Pick<SourceCheck, "commitmentCount" | "stage" | "saleUuid" | "paymentTokens">> {
  const optional = new OptionalFunctions();
  const { count, stage } = await readSaleFacts(pinned, calls, optional, maxCommitments, signal);
  const [saleUuid, paymentTokens] = await Promise.all([
    optional.call(pinned, calls.saleUuid, signal),
    optional.call(pinned, calls.paymentTokens, signal),
    // The first row, or an empty range, to check that rows can be read too.
    pinned.call(calls.rows(0n, count > 0n ? 1n : 0n), signal),
  ]);
  return {
    commitmentCount: count,
    ...(stage === undefined ? {} : { stage: STAGES.indexOf(stage) }),
    ...(saleUuid === undefined ? {} : { saleUuid: uuidFromBytes(Buffer.from(saleUuid, "hex")) }),
    paymentTokens: paymentTokens ?? [],
  };
}
