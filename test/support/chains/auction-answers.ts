import { type Address, encodeAbiParameters, type Hex, parseAbiParameters, zeroAddress } from "viem";
import { type AuctionStep, encodedSteps, Q96 } from "./continuous-auction.ts";

const TERMS = parseAbiParameters([
  "(uint256 blockNumber, bool isSince1_1, bool awaitsTokens, address token, address currency, uint256 totalSupply, uint256 startBlock, uint256 endBlock, uint256 claimBlock, uint256 floorPrice, uint256 tickSpacing, address validationHook, bytes steps)",
]);

/** Answer of the code of calls about an auction. */
export interface AnsweredTerms {
  readonly blockNumber: bigint;
  readonly isSince1_1: boolean;
  readonly awaitsTokens: boolean;
  readonly token: Address;
  readonly currency: Address;
  readonly totalSupply: bigint;
  readonly startBlock: bigint;
  readonly endBlock: bigint;
  readonly claimBlock: bigint;
  readonly floorPrice: bigint;
  readonly tickSpacing: bigint;
  readonly validationHook: Address;
  /** A zero byte, and the steps. */
  readonly steps: Hex;
}

/** Returns the code of a schedule's account. */
export function scheduleCode(steps: readonly AuctionStep[]): Hex {
  return `0x00${encodedSteps(steps).slice(2)}`;
}

/** Returns the answer of contracts/AuctionTermsCode.sol: by default of an auction of 10 blocks, asked in its first one. */
export function termsAnswer(change: Partial<AnsweredTerms> = {}): Hex {
  const terms: AnsweredTerms = {
    blockNumber: 100n,
    isSince1_1: false,
    awaitsTokens: false,
    token: `0x${"70".repeat(20)}`,
    currency: zeroAddress,
    totalSupply: 1_000n,
    startBlock: 100n,
    endBlock: 110n,
    claimBlock: 115n,
    floorPrice: Q96,
    tickSpacing: Q96,
    validationHook: zeroAddress,
    steps: scheduleCode([{ mps: 1_000_000n, blocks: 10n }]),
    ...change,
  };
  return encodeAbiParameters(TERMS, [terms]);
}
