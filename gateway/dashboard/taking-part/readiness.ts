import { hasPermitHook } from "../../../common/sale/definition/contract-family.ts";
import { sourceLocation } from "../../../common/sale/definition/source-location.ts";
import { ticksOf } from "../../../common/sale/record/ticks.ts";
import type { SaleDefinition } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import type { ParticipationRules } from "../../../proto/gen/tidemark/entities/v1/participation_rules_pb.ts";
import {
  ContractKnowledge,
  type PermitKey,
  PermitKeyStatus,
} from "../../../proto/gen/tidemark/entities/v1/permit_service_pb.ts";
import { texts } from "../base/texts.ts";
import type { SourceCheck } from "../definition/check-source.ts";

/** The conditions before users can get permits. */
export interface Requirement {
  readonly isMet: boolean;
  readonly text: string;
  /** The page on which it can be met. */
  readonly at: "settings" | "rules" | "signer";
}

/** The greatest number that JSON holds exactly. */
const MAX_JSON_INTEGER = 2n ** 53n - 1n;

/**
 * Returns everything that is needed, in the order in which it is best done.
 *
 * @param contract what is known of the sale's contract; undefined for a sale without one
 */
export function requirementsOf(
  definition: SaleDefinition,
  rules: ParticipationRules,
  keys: readonly PermitKey[],
  contract: SourceCheck["state"] | undefined,
): readonly Requirement[] {
  return [
    contractRequirement(contract),
    ...settingRequirements(definition),
    groupRequirement(rules),
    ...keyRequirements(keys),
  ];
}

/** Returns whether there is a contract that checks permits, by the check that also decides about the next steps of a sale. */
function contractRequirement(contract: SourceCheck["state"] | undefined): Requirement {
  const { contractMissing, contractGood: good, contractBad: bad, contractUnknown: unknown } = texts().takingPart;
  const text = contract === undefined ? contractMissing : { good, bad, unknown }[contract];
  return { isMet: contract === "good", text, at: "settings" };
}

function settingRequirements({ source, paymentTokens, pricing }: SaleDefinition): readonly Requirement[] {
  const { sameDecimals, otherDecimals, manyTicks } = texts().takingPart;
  const decimals = new Set(paymentTokens.map((token) => token.decimals));
  const ticks = ticksOf(pricing.case === "auction" ? pricing.value.floorTicks : (pricing.value?.priceTicks ?? ""));
  return [
    {
      isMet: decimals.size <= 1,
      text: decimals.size <= 1 ? sameDecimals : otherDecimals,
      at: "settings",
    },
    ...(ticks <= MAX_JSON_INTEGER || hasPermitHook(sourceLocation(source)?.contractFamily)
      ? []
      : [{ isMet: false, text: manyTicks, at: "settings" as const }]),
  ];
}

function groupRequirement({ groups }: ParticipationRules): Requirement {
  const isMet = groups.length > 0;
  const { hasGroup, noGroup } = texts().takingPart;
  return { isMet, text: isMet ? hasGroup : noGroup, at: "rules" };
}

function keyRequirements(keys: readonly PermitKey[]): readonly Requirement[] {
  const active = keys.find(({ status }) => status === PermitKeyStatus.ACTIVE);
  const next = keys.find(({ status }) => status === PermitKeyStatus.NEXT);
  const key = active ?? next;
  const knows = key?.contract === ContractKnowledge.KNOWN;
  const { noKey, hasKey, keyKnown, keyUnknown, keyUnchecked, keyInactive } = texts().takingPart;
  const unknown = key?.contract === ContractKnowledge.UNKNOWN_KEY ? keyUnknown : keyUnchecked;
  return [
    {
      isMet: key !== undefined,
      text: key === undefined ? noKey : hasKey,
      at: "signer",
    },
    ...(key === undefined ? [] : [{ isMet: knows, text: knows ? keyKnown : unknown, at: "signer" as const }]),
    ...(active === undefined && next !== undefined ? [{ isMet: false, text: keyInactive, at: "signer" as const }] : []),
  ];
}
