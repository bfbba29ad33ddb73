import { SourceFault, type SourceStage } from "../../source/source-reader.ts";
import type { EvmEndpoint } from "../nodes/evm-endpoint.ts";
import { RpcFault } from "../nodes/rpc-fault.ts";
import type { OptionalFunctions } from "./optional-functions.ts";
import { EmptyAnswer, type PinnedBlock } from "./pinned-block.ts";
import type { SaleCalls, TokenSums } from "./sale-calls.ts";

/** What a contract says of itself at a pinned block. What it has no function for is absent. */
export interface SaleFacts {
  readonly count: bigint;
  readonly stage?: SourceStage;
  readonly totals?: TokenSums;
}

/** Reads the facts. Errors as in `PinnedBlock.call`, and where there are, or seem to be, more than `maxCommitments`. */
export async function readSaleFacts(
  pinned: PinnedBlock,
  calls: SaleCalls,
  optional: OptionalFunctions,
  maxCommitments: number,
  signal: AbortSignal,
): Promise<SaleFacts> {
  const [count, stage, totals] = await Promise.all([
    pinned.call(calls.numCommitments, signal),
    optional.call(pinned, calls.stage, signal),
    optional.call(pinned, calls.totals, signal),
  ]);
  checkCount(count, maxCommitments);
  return { count, ...(stage === undefined ? {} : { stage }), ...(totals === undefined ? {} : { totals }) };
}

function checkCount(count: bigint, maxCommitments: number): void {
  if (count <= BigInt(maxCommitments)) return;
  const words = `the contract says that it has ${count} commitments; no more than ${maxCommitments} are read on this chain`;
  throw new SourceFault(`${words}: check the contract, or raise maxCommitments of the chain`, { remedy: "mend" });
}

/** Throws a `SourceFault` where the contract belongs to another sale. */
export async function checkSaleUuid(
  pinned: PinnedBlock,
  calls: SaleCalls,
  optional: OptionalFunctions,
  saleUuid: string,
  signal: AbortSignal,
): Promise<void> {
  const actual = await optional.call(pinned, calls.saleUuid, signal);
  const wanted = saleUuid.replaceAll("-", "").toLowerCase();
  if (actual === undefined || actual === wanted) return;
  const words = `saleUUID() of the contract is 0x${actual}, not that of this sale: set the contract of the right sale`;
  throw new SourceFault(words, { remedy: "mend" });
}

/** A failure to read, in words of its cause where that is an address without a sale contract. */
export async function explainFault(
  error: unknown,
  endpoint: EvmEndpoint,
  contract: string,
  signal: AbortSignal,
): Promise<unknown> {
  const isReverted = error instanceof RpcFault && error.kind === "reverted";
  if (!isReverted && !(error instanceof EmptyAnswer)) return error;
  const code = await endpoint.request("eth_getCode", [contract, "latest"], signal).catch(() => undefined);
  if (code === "0x") {
    const words = `there is no contract at ${contract} on this chain: check the address and the chain of the sale`;
    return new SourceFault(words, { remedy: "mend", cause: error });
  }
  if (typeof code !== "string") return error;
  const is = isReverted ? "is no sale contract" : "does not answer as a sale contract";
  const words = `the contract at ${contract} ${is} (ICommitmentDataReader): check the address of the sale`;
  return new SourceFault(`${words}; ${error.message}`, { remedy: "mend", cause: error });
}
