import type { SaleDefinition } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import type { ParticipationRules } from "../../../proto/gen/tidemark/entities/v1/participation_rules_pb.ts";
import {
  ContractKnowledge,
  type PermitKey,
  PermitKeyStatus,
} from "../../../proto/gen/tidemark/entities/v1/permit_service_pb.ts";

/** The conditions before users can get permits. */
export interface Requirement {
  readonly isMet: boolean;
  readonly text: string;
  /** The page on which it can be met. */
  readonly at: "settings" | "rules" | "signer";
}

/** The greatest number that JSON holds exactly. */
const MAX_JSON_INTEGER = 2n ** 53n - 1n;

/** Returns everything that is needed, in the order in which it is best done. */
export function requirementsOf(
  definition: SaleDefinition,
  rules: ParticipationRules,
  keys: readonly PermitKey[],
): readonly Requirement[] {
  return [...settingRequirements(definition), groupRequirement(rules), ...keyRequirements(keys)];
}

function settingRequirements({ source, paymentTokens, pricing }: SaleDefinition): readonly Requirement[] {
  const hasContract = source.case !== undefined;
  const decimals = new Set(paymentTokens.map((token) => token.decimals));
  const ticks = pricing.case === "auction" ? pricing.value.floorTicks : (pricing.value?.priceTicks ?? 0n);
  return [
    {
      isMet: hasContract,
      text: hasContract ? "The sale has a contract, which checks permits" : "Set a contract, which checks permits",
      at: "settings",
    },
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
