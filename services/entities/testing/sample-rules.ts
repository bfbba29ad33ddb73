import type { SaleFacts } from "../base/sale-facts.ts";
import { DEFAULT_RULES, type ParticipationGroup, type ParticipationRules } from "../rules/participation-rules.ts";

/** The UUID of the only group of `sampleRules`. */
export const GROUP_UUID = "00000000-0000-4000-8000-000000000001";

/** A group without bounds. */
export function sampleGroup(given: Partial<ParticipationGroup> = {}): ParticipationGroup {
  return {
    uuid: GROUP_UUID,
    name: "Everyone",
    opensAt: 0n,
    minAmount: 0n,
    minPriceTicks: 0n,
    forcedLockup: false,
    priority: 0,
    ...given,
  };
}

/** Rules by which everyone may take part, in one group. */
export function sampleRules(given: Partial<ParticipationRules> = {}): ParticipationRules {
  return { ...DEFAULT_RULES, enabled: true, groups: [sampleGroup()], defaultGroupUuid: GROUP_UUID, ...given };
}

/** An open auction on an EVM chain that takes bids. */
export function sampleSale(given: Partial<SaleFacts> = {}): SaleFacts {
  return {
    saleUuid: "00000000-0000-4000-8000-00000000005a",
    name: "Sale",
    tenancy: "test",
    status: "open",
    stage: "commitment",
    kind: "evm",
    chain: "base",
    chainId: 8_453n,
    contract: "0x00000000000000000000000000000000000000c0",
    pricing: { kind: "auction", floorTicks: 5n, incrementTicks: 1n },
    widePrices: false,
    units: {
      decimals: 6,
      money: "USDC",
      per: "per token",
      tick: { numerator: 1n, denominator: 1_000n },
      isAuction: true,
    },
    paymentTokenDecimals: [6],
    ...given,
  };
}
