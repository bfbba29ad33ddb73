import { AbiWords } from "../../../chains/evm/abi-words.ts";
import type { ContractCall } from "../../../chains/evm/contract-call.ts";
import type { EntityAllocation, ReleaseNumber, TokenSums } from "../../contract-facts.ts";
import type { SourceCommitment } from "../../source-commitment.ts";
import { SALE_FUNCTIONS } from "./abi.ts";
import { decodeAllocations } from "./decode-allocations.ts";
import { decodeRows } from "./decode-rows.ts";

export interface SaleCalls {
  readonly numCommitments: ContractCall<bigint>;
  /** The number of the stage; `meaningOf` says which stage that is. */
  readonly stage: ContractCall<number>;
  readonly version: ContractCall<ReleaseNumber>;
  /** 32 lower-case hex digits. */
  readonly saleUuid: ContractCall<string>;
  readonly paymentTokens: ContractCall<readonly string[]>;
  /** 0 to 255. */
  readonly maxWalletsPerEntity: ContractCall<number>;
  readonly totals: ContractCall<TokenSums>;
  readonly numAllocations: ContractCall<bigint>;
  readonly acceptedTotals: ContractCall<TokenSums>;
  /** The allocations from index `from` to before `to`. */
  allocations(from: bigint, to: bigint): ContractCall<readonly EntityAllocation[]>;
  /** The rows from index `from` to before `to`. */
  rows(from: bigint, to: bigint): ContractCall<readonly SourceCommitment[]>;
}

const WORD = 32;
const MAX_UINT8 = 255;
const MAX_UINT32 = 2n ** 32n - 1n;
/** Limit for the tokens in the totals, because a warning about differences names each of them. */
const MAX_TOKENS = 1000;

let loaded: Promise<SaleCalls> | undefined;

/** Loads viem with the first call, because many processes read no EVM chain. */
export function loadSaleCalls(): Promise<SaleCalls> {
  loaded ??= importSaleCalls().catch((error: unknown) => {
    loaded = undefined;
    throw error;
  });
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
      decode: decodeStage,
    },
    version: {
      name: "version",
      data: encodeFunctionData({ abi, functionName: "version" }),
      decode: decodeVersion,
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
    maxWalletsPerEntity: {
      name: "maxWalletsPerEntity",
      data: encodeFunctionData({ abi, functionName: "maxWalletsPerEntity" }),
      decode: decodeUint8,
    },
    totals: {
      name: "totalCommittedAmountByToken",
      data: encodeFunctionData({ abi, functionName: "totalCommittedAmountByToken" }),
      decode: (data) => sumsOf(decodeFunctionResult({ abi, functionName: "totalCommittedAmountByToken", data })),
    },
    numAllocations: {
      name: "numEntityAllocations",
      data: encodeFunctionData({ abi, functionName: "numEntityAllocations" }),
      decode: (data) => decodeFunctionResult({ abi, functionName: "numEntityAllocations", data }),
    },
    acceptedTotals: {
      name: "totalAcceptedAmountByToken",
      data: encodeFunctionData({ abi, functionName: "totalAcceptedAmountByToken" }),
      decode: (data) => sumsOf(decodeFunctionResult({ abi, functionName: "totalAcceptedAmountByToken", data })),
    },
    allocations: (from, to) => ({
      name: "readEntityAllocationDataIn",
      data: encodeFunctionData({ abi, functionName: "readEntityAllocationDataIn", args: [from, to] }),
      heavy: to - from > 1n,
      decode: (data) => decodeAllocations(data, Number(to - from)),
    }),
    rows: (from, to) => ({
      name: "readCommitmentDataIn",
      data: encodeFunctionData({ abi, functionName: "readCommitmentDataIn", args: [from, to] }),
      // A single row can't be divided further.
      heavy: to - from > 1n,
      decode: (data) => decodeRows(data, from, Number(to - from)),
    }),
  };
}

function decodeStage(data: string): number {
  return uint32(new AbiWords(data), 0);
}

function decodeUint8(data: string): number {
  const value = uint32(new AbiWords(data), 0);
  if (value > MAX_UINT8) throw new RangeError(`${value} has more than 8 bits`);
  return value;
}

/** Unlike viem, it refuses a version that is a string, as many contracts have it. */
function decodeVersion(data: string): ReleaseNumber {
  const words = new AbiWords(data);
  return [uint32(words, 0), uint32(words, 1), uint32(words, 2)];
}

function uint32(words: AbiWords, index: number): number {
  const value = words.uint64(index * WORD);
  if (value > MAX_UINT32) throw new RangeError(`number ${index + 1} has more than 32 bits`);
  return Number(value);
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
