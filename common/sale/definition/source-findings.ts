import type {
  AuctionFacts,
  CheckSourceResponse,
  TokenCheck,
} from "../../../proto/gen/tidemark/indexer/v1/indexer_service_pb.ts";
import type { ServiceError } from "../../platform/errors/service-error.ts";
import { ticksOf } from "../record/ticks.ts";
import { type ContractFamily, contractFamilyOf } from "./contract-family.ts";

/** The facts of a payment token on its chain. */
export interface TokenFinding {
  /** The address as the definition has it. */
  readonly address: string;
  /** Absent if the token doesn't say. */
  readonly decimals?: number;
  /** Absent if the token has none that can be shown. */
  readonly symbol?: string;
}

/** The facts of a sale's contract on its chain. */
export interface SourceFindings {
  /** Why the contract can't be read, as texts for people; empty if it can. */
  readonly problems: readonly string[];
  /** Canonical UUID of the contract's sale; absent if the contract doesn't say. */
  readonly saleUuid?: string;
  /** The tokens that the contract takes; empty if it doesn't say. */
  readonly paymentTokens: readonly string[];
  /** The value that the sale's `cancelledKeepsAmounts` must have; absent if the contract's version isn't known. */
  readonly cancelledKeepsAmounts?: boolean;
  /** The family that the contract is of, if it isn't the reference contract's. */
  readonly contractFamily?: ContractFamily;
  /** Absent if the contract doesn't state them. */
  readonly terms?: RepeatedTerms;
}

/** The terms of an auction that its contract states and its sale repeats. */
export interface RepeatedTerms {
  /** Smallest offered units. */
  readonly offeredAmount: bigint;
  /** The lowest price, in price ticks. */
  readonly floorTicks: bigint;
  /** Decimals of the offered token; absent where they aren't known. */
  readonly offeredTokenDecimals?: number | undefined;
}

/** The settings of a sale that its contract must agree with. */
export interface SourceExpectation {
  /** Canonical UUID of the sale. */
  readonly saleUuid: string;
  readonly paymentTokens: readonly string[];
  readonly cancelledKeepsAmounts: boolean;
  /** The family that the sale names; absent for the reference contract's. */
  readonly contractFamily?: ContractFamily | undefined;
  /** Absent in a sale that is no auction, and where they aren't compared. */
  readonly terms?: RepeatedTerms | undefined;
}

/** A reason why a contract can't be the source of a sale. */
export type SourceProblem =
  | { readonly kind: "unreadable"; readonly reason: string }
  | { readonly kind: "other_sale"; readonly saleUuid: string; readonly expected: string }
  | { readonly kind: "other_family"; readonly family: ContractFamily | undefined }
  | {
      readonly kind: "other_offer" | "other_floor" | "other_offered_decimals";
      readonly its: bigint;
      readonly ours: bigint;
    }
  | { readonly kind: "unlisted_token"; readonly address: string }
  | { readonly kind: "cancelled_amounts"; readonly keeps: boolean }
  | {
      readonly kind: "token_decimals";
      readonly address: string;
      readonly decimals: number;
      readonly expected: number;
    };

const NOTHING_READABLE = "there is no sale that can be read";
const NO_TERMS = "the auction’s offer and lowest price can’t be read";

/** The facts of a text that is no address of a contract. */
export const NO_ADDRESS_FINDINGS: SourceFindings = {
  problems: ["this is no address of such a chain"],
  paymentTokens: [],
};

/** Returns the facts of a contract that an indexer answers. */
export function sourceFindings({
  readable,
  problems,
  saleUuid,
  paymentTokens,
  cancelledKeepsAmounts,
  family,
  auction,
}: CheckSourceResponse): SourceFindings {
  const contractFamily = contractFamilyOf(family);
  const reasons = problems.length === 0 ? [NOTHING_READABLE] : problems;
  return {
    problems: readable ? [] : reasons,
    ...(saleUuid !== "" && { saleUuid: saleUuid.toLowerCase() }),
    paymentTokens,
    ...(cancelledKeepsAmounts !== undefined && { cancelledKeepsAmounts }),
    ...(contractFamily !== undefined && { contractFamily }),
    // An indexer of an earlier version leaves them out.
    ...(auction !== undefined && auction.offeredAmount !== "" && { terms: repeatedTerms(auction, auction) }),
  };
}

/** Returns the terms that a sale repeats, from messages about it. */
export function repeatedTerms(
  { offeredAmount, floorTicks }: Pick<AuctionFacts, "offeredAmount" | "floorTicks">,
  { offeredTokenDecimals }: Pick<AuctionFacts, "offeredTokenDecimals">,
): RepeatedTerms {
  return { offeredAmount: BigInt(offeredAmount), floorTicks: ticksOf(floorTicks), offeredTokenDecimals };
}

/** Returns the facts that a refusal of an indexer tells of a contract; undefined for one that tells none. */
export function refusedFindings(refusal: ServiceError | undefined): SourceFindings | undefined {
  if (refusal?.code === "not_found") return { problems: [refusal.message], paymentTokens: [] };
  return refusal?.code === "invalid_argument" ? NO_ADDRESS_FINDINGS : undefined;
}

/** Returns the facts of tokens that an indexer answers. */
export function tokenFindings(tokens: readonly TokenCheck[]): readonly TokenFinding[] {
  return tokens.map(({ address, decimals, symbol }) => ({
    address,
    ...(decimals !== undefined && { decimals }),
    ...(symbol !== "" && { symbol }),
  }));
}

/** Returns the reasons why a contract can't be the source of a sale; none if it can. */
export function sourceProblems(expected: SourceExpectation, found: SourceFindings): readonly SourceProblem[] {
  if (found.problems.length > 0) return found.problems.map((reason) => ({ kind: "unreadable", reason }));
  const { saleUuid, cancelledKeepsAmounts: keeps, contractFamily: family } = found;
  // What else it says has another meaning than the sale's settings.
  if (family !== expected.contractFamily) return [{ kind: "other_family", family }];
  const listed = new Set(expected.paymentTokens.map(comparable));
  const unlisted = found.paymentTokens.filter((address) => !listed.has(comparable(address)));
  return [
    ...(saleUuid === undefined || saleUuid === expected.saleUuid
      ? []
      : [{ kind: "other_sale", saleUuid, expected: expected.saleUuid } as const]),
    ...otherTerms(expected, found),
    ...unlisted.map((address) => ({ kind: "unlisted_token", address }) as const),
    ...(keeps === undefined || keeps === expected.cancelledKeepsAmounts
      ? []
      : [{ kind: "cancelled_amounts", keeps } as const]),
  ];
}

/** @param expected of the same family as `found` */
function otherTerms(
  { terms: ours, contractFamily }: SourceExpectation,
  { terms: its }: SourceFindings,
): readonly SourceProblem[] {
  if (contractFamily === undefined || ours === undefined) return [];
  if (its === undefined) return [{ kind: "unreadable", reason: NO_TERMS }];
  const problem = (kind: "other_offer" | "other_floor" | "other_offered_decimals", own: bigint, found: bigint) =>
    own === found ? [] : [{ kind, its: found, ours: own }];
  const [decimals, itsDecimals] = [ours.offeredTokenDecimals, its.offeredTokenDecimals];
  return [
    ...problem("other_offer", ours.offeredAmount, its.offeredAmount),
    ...problem("other_floor", ours.floorTicks, its.floorTicks),
    ...(decimals === undefined || itsDecimals === undefined
      ? []
      : problem("other_offered_decimals", BigInt(decimals), BigInt(itsDecimals))),
  ];
}

/** Returns the payment tokens whose declared decimals aren't those of the chain. */
export function decimalsProblems(
  tokens: readonly { readonly address: string; readonly decimals: number }[],
  found: readonly TokenFinding[],
): readonly SourceProblem[] {
  const decimalsOf = new Map(found.map(({ address, decimals }) => [address, decimals]));
  return tokens.flatMap(({ address, decimals: expected }) => {
    const decimals = decimalsOf.get(address);
    if (decimals === undefined || decimals === expected) return [];
    return [{ kind: "token_decimals", address, decimals, expected } as const];
  });
}

/** Returns an address for comparison: one in hexadecimal may be in any case. */
function comparable(address: string): string {
  return address.startsWith("0x") ? address.toLowerCase() : address;
}
