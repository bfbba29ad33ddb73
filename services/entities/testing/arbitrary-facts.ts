import fc from "fast-check";
import type { SaleFacts } from "../base/sale-facts.ts";
import type { WalletEligibilityFacts } from "../eligibility/decide.ts";
import type { MatchedMember } from "../members/matching-members-store.ts";
import { arbitraryRules, COUNTRIES, GROUP_UUIDS } from "./arbitrary-rules.ts";
import { sampleSale } from "./sample-rules.ts";

const mostly = <Value>(usual: Value, ...others: Value[]): fc.Arbitrary<Value> =>
  fc.oneof({ weight: 9, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: fc.constantFrom(...others) });

const ticks = fc.oneof(fc.bigInt({ min: 1n, max: 9n }), fc.bigInt({ min: 2n ** 53n - 1n, max: 2n ** 53n }));
const amount = fc.bigInt({ min: 0n, max: 9n });

const sale: fc.Arbitrary<SaleFacts> = fc
  .record({
    tenancy: fc.constantFrom("test", "live"),
    status: mostly<SaleFacts["status"]>("open", "draft", "settled", "withdrawn"),
    stage: mostly<SaleFacts["stage"]>("commitment", "pre_open", "unknown", "closed", "settlement"),
    pricing: fc.oneof(
      ticks.map((priceTicks) => ({ kind: "fixed", priceTicks }) as const),
      ticks.map((floorTicks) => ({ kind: "auction", floorTicks, incrementTicks: 1n }) as const),
    ),
    paymentTokenDecimals: mostly([6], [6, 6], [6, 18]),
  } as const)
  .map((given) => sampleSale(given));

const member: fc.Arbitrary<MatchedMember> = fc
  .tuple(
    fc.record({ groupUuid: fc.constantFrom(...GROUP_UUIDS), keyMac: fc.constantFrom("a", "b"), binds: fc.boolean() }),
    fc.record({ minAmount: amount, maxAmount: amount }, { requiredKeys: [] }),
  )
  .map(([required, optional]) => ({ ...required, ...optional }));

/** Facts of which none is so rare that a decision never depends on it. */
export const arbitraryFacts: fc.Arbitrary<WalletEligibilityFacts> = fc.record({
  nowSeconds: fc.bigInt({ min: 0n, max: 10n }),
  sale,
  rules: fc.tuple(arbitraryRules, mostly(true, false)).map(([rules, enabled]) => ({ ...rules, enabled })),
  permitsStopped: mostly(false, true),
  entity: fc.record({
    type: fc.constantFrom("person", "organization"),
    country: mostly(COUNTRIES[0] ?? "", ...COUNTRIES.slice(1), ""),
    isComplete: mostly(true, false),
    provider: fc.constantFrom("review", "demo", undefined),
  }),
  accountClosed: mostly(false, true),
  frozen: mostly(false, true),
  members: fc.array(member, { maxLength: 4 }),
  wallet: mostly("usable", "not_linked", "max_wallets_used"),
  walletRisk: mostly(false, true),
  livenessProved: fc.boolean(),
});
