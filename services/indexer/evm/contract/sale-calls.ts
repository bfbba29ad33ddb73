import type { SourceCommitment, SourceStage } from "../../source/source-commitment.ts";
import { SALE_FUNCTIONS } from "./abi.ts";
import { decodeRows } from "./decode-rows.ts";

/** A call of a sale contract, with the decoder of its answer. */
export interface SaleCall<Result> {
  /** The function's name. */
  readonly name: string;
  /** `0x` hex. */
  readonly data: string;
  /** Whether the answer may be large. */
  readonly heavy?: boolean;
  /** @throws Error for an answer that isn't of the function's type. */
  decode(answer: `0x${string}`): Result;
}

/** Raw amounts by token. Token addresses are in lower case. */
export type TokenSums = ReadonlyMap<string, bigint>;

export interface SaleCalls {
  readonly numCommitments: SaleCall<bigint>;
  readonly stage: SaleCall<SourceStage>;
  /** 32 lower-case hex digits. */
  readonly saleUuid: SaleCall<string>;
  readonly paymentTokens: SaleCall<readonly string[]>;
  readonly totals: SaleCall<TokenSums>;
  /** The rows from index `from` to before `to`. */
  rows(from: bigint, to: bigint): SaleCall<readonly SourceCommitment[]>;
}

/** Stages by the number that `stage()` returns. */
export const STAGES: readonly SourceStage[] = ["pre_open", "commitment", "cancellation", "settlement", "done"];

/** Limit for the tokens in the totals, because a warning about differences names each of them. */
const MAX_TOKENS = 1000;

let loaded: Promise<SaleCalls> | undefined;

/** Loads viem with the first call, because many processes read no EVM chain. */
export function loadSaleCalls(): Promise<SaleCalls> {
  loaded ??= importSaleCalls();
  return loaded;
}

async function importSaleCalls(): Promise<SaleCalls> {
  const { decodeFunctionResult, encodeFunctionData, parseAbi } = await import("viem/utils");
  const abi = parseAbi(SALE_FUNCTIONS);
  return {
    numCommitments: {
      name: "numCommitments",
      data: encodeFunctionData({ abi, functionName: "numCommitments" }),
      decode: (data) => decodeFunctionResult({ abi, functionName: "numCommitments", data }),
    },
    stage: {
      name: "stage",
      data: encodeFunctionData({ abi, functionName: "stage" }),
      decode: (data) => stageOf(decodeFunctionResult({ abi, functionName: "stage", data })),
    },
    saleUuid: {
      name: "saleUUID",
      data: encodeFunctionData({ abi, functionName: "saleUUID" }),
      decode: (data) => decodeFunctionResult({ abi, functionName: "saleUUID", data }).slice(2).toLowerCase(),
    },
    paymentTokens: {
      name: "paymentTokens",
      data: encodeFunctionData({ abi, functionName: "paymentTokens" }),
      decode: (data) => decodeFunctionResult({ abi, functionName: "paymentTokens", data }).map(lowerCase),
    },
    totals: {
      name: "totalCommittedAmountByToken",
      data: encodeFunctionData({ abi, functionName: "totalCommittedAmountByToken" }),
      decode: (data) => sumsOf(decodeFunctionResult({ abi, functionName: "totalCommittedAmountByToken", data })),
    },
    rows: (from, to) => ({
      name: "readCommitmentDataIn",
      data: encodeFunctionData({ abi, functionName: "readCommitmentDataIn", args: [from, to] }),
      // A single row can't be divided further.
      heavy: to - from > 1n,
      decode: (data) => decodeRows(data, from, Number(to - from)),
    }),
  };
}

function stageOf(number: number): SourceStage {
  const stage = STAGES[number];
  if (stage === undefined) throw new Error(`stage ${number} isn't one of 0 to ${STAGES.length - 1}`);
  return stage;
}

function sumsOf(totals: readonly { readonly token: string; readonly amount: bigint }[]): TokenSums {
  if (totals.length > MAX_TOKENS) throw new Error(`${totals.length} tokens; ${MAX_TOKENS} are supported`);
  const sums = new Map<string, bigint>();
  for (const { token, amount } of totals) sums.set(lowerCase(token), (sums.get(lowerCase(token)) ?? 0n) + amount);
  return sums;
}

function lowerCase(address: string): string {
  return address.toLowerCase();
}
