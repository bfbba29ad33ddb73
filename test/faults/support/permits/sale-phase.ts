import type { Random } from "../../../../services/demo/bidders/random.ts";
import type { ParticipationRules } from "../../../../services/entities/rules/participation-rules.ts";
import { sampleGroup, sampleRules } from "../../../../services/entities/testing/sample-rules.ts";

/** The permits that a sale allows between two of its changes. */
export type Phase =
  | { readonly kind: "open"; readonly minAmount: bigint; readonly maxAmount: bigint }
  /** Taking part is off. */
  | { readonly kind: "off" }
  /** The window has closed. */
  | { readonly kind: "closed" }
  /** The sale was withdrawn. */
  | { readonly kind: "over" };

/** The part of a sale's rules that doesn't change. */
export interface SaleTerms {
  readonly linkingRequired: boolean;
  readonly maxWalletsPerEntity: number;
}

/** The bounds of every permit besides its amounts. */
export const BOUNDS = { minPrice: 5n, maxPrice: 60n, opensAt: 1n, closesAt: 9_000_000_000n };

const LARGEST_AMOUNT = 1_000_000;

/** Returns another phase than the present one, open more often than not. */
export function nextPhase({ kind }: Phase, random: Random): Phase {
  if (kind !== "open" || random.integer(1, 2) === 1) return openPhase(random);
  return { kind: random.pick(["off", "closed"] as const) };
}

/** Returns an open phase with new amounts. */
export function openPhase(random: Random): Phase & { readonly kind: "open" } {
  const minAmount = BigInt(random.integer(1, LARGEST_AMOUNT));
  return { kind: "open", minAmount, maxAmount: minAmount + BigInt(random.integer(1, LARGEST_AMOUNT)) };
}

/** Returns the rules of a phase. */
export function rulesOf(phase: Phase, terms: SaleTerms): ParticipationRules {
  const { minPrice: minPriceTicks, maxPrice: maxPriceTicks, opensAt } = BOUNDS;
  const closesAt = phase.kind === "closed" ? opensAt + 1n : BOUNDS.closesAt;
  const { minAmount, maxAmount } = phase.kind === "open" ? phase : { minAmount: 0n, maxAmount: 1n };
  const wallets = { ...terms, denyList: true, screenerUrl: "", onScreeningFailure: "closed" } as const;
  const groups = [sampleGroup({ minPriceTicks, maxPriceTicks, opensAt, closesAt, minAmount, maxAmount })];
  return sampleRules({ enabled: phase.kind !== "off", groups, wallets });
}
