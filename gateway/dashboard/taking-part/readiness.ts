import type { SaleDefinition } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import type { ParticipationRules } from "../../../proto/gen/tidemark/entities/v1/participation_rules_pb.ts";
import {
  ContractKnowledge,
  type PermitKey,
  PermitKeyStatus,
} from "../../../proto/gen/tidemark/entities/v1/permit_service_pb.ts";
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
  const text = contract === undefined ? "Set a contract, which checks permits" : CONTRACT_TEXTS[contract];
  return { isMet: contract === "good", text, at: "settings" };
}

const CONTRACT_TEXTS: Readonly<Record<SourceCheck["state"], string>> = {
  good: "The sale has a contract, which checks permits",
  bad: "Set the right contract: the one that is set isn’t this sale’s, or can’t be read",
  unknown: "Whether the contract is this sale’s isn’t known now",
};

function settingRequirements({ paymentTokens, pricing }: SaleDefinition): readonly Requirement[] {
  const decimals = new Set(paymentTokens.map((token) => token.decimals));
  const ticks = pricing.case === "auction" ? pricing.value.floorTicks : (pricing.value?.priceTicks ?? 0n);
  return [
    {
      isMet: decimals.size <= 1,
      text:
        decimals.size <= 1
          ? "All payment tokens have the same decimals"
          : "The payment tokens have different decimals, so that no bound holds for all of them: list tokens of the same decimals",
      at: "settings",
    },
    ...(ticks <= MAX_JSON_INTEGER
      ? []
      : [
          {
            isMet: false,
            text: "The price is more price ticks than a permit can hold: choose a larger price tick",
            at: "settings" as const,
          },
        ]),
  ];
}

function groupRequirement({ groups }: ParticipationRules): Requirement {
  const isMet = groups.length > 0;
  return { isMet, text: isMet ? "There is a group" : "Add a group: without one nobody may take part", at: "rules" };
}

function keyRequirements(keys: readonly PermitKey[]): readonly Requirement[] {
  const active = keys.find(({ status }) => status === PermitKeyStatus.ACTIVE);
  const next = keys.find(({ status }) => status === PermitKeyStatus.NEXT);
  const key = active ?? next;
  const knows = key?.contract === ContractKnowledge.KNOWN;
  const unknown =
    key?.contract === ContractKnowledge.UNKNOWN_KEY
      ? "Make the signer known to the contract"
      : "Whether the contract knows the signer can’t be checked now";
  return [
    {
      isMet: key !== undefined,
      text: key === undefined ? "Create a key, which signs permits" : "There is a key, which signs permits",
      at: "signer",
    },
    ...(key === undefined
      ? []
      : [{ isMet: knows, text: knows ? "The contract knows the signer" : unknown, at: "signer" as const }]),
    ...(active === undefined && next !== undefined
      ? [{ isMet: false, text: "Activate the key", at: "signer" as const }]
      : []),
  ];
}
