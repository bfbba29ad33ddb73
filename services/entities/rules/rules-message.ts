import { create } from "@bufbuild/protobuf";
import { EntityType } from "../../../proto/gen/tidemark/entities/v1/entity_pb.ts";
import {
  CountryRule,
  type ParticipationGroup as GroupMessage,
  ParticipationGroupSchema,
  ParticipationRulesSchema,
  PermitPayload,
  type PublicRules as PublicRulesMessage,
  PublicRulesSchema,
  type ParticipationRules as RulesMessage,
  ScreeningFailure,
  type WalletRules as WalletRulesMessage,
} from "../../../proto/gen/tidemark/entities/v1/participation_rules_pb.ts";
import type { ParticipationGroup, ParticipationRules, RuledEntityType, WalletRules } from "./participation-rules.ts";

const TYPES: Readonly<Record<RuledEntityType, EntityType>> = {
  person: EntityType.PERSON,
  organization: EntityType.ORGANIZATION,
};
const ALL_TYPES: readonly RuledEntityType[] = ["person", "organization"];

/** Converts the message of rules. Protovalidate has checked the form of its fields. */
export function rulesOfMessage(message: RulesMessage): ParticipationRules {
  const { enabled, countries, livenessRequired, bidsWithoutPrice, onSalePage, wallets } = message;
  if (wallets === undefined) throw new TypeError("protovalidate requires the rules of wallets");
  return {
    enabled,
    countryRule: message.countryRule === CountryRule.ONLY_LISTED ? "only_listed" : "all_but_listed",
    countries,
    entityTypes: ALL_TYPES.filter((type) => message.entityTypes.includes(TYPES[type])),
    groups: message.groups.map(groupOfMessage),
    ...(message.defaultGroupUuid !== "" && { defaultGroupUuid: message.defaultGroupUuid.toLowerCase() }),
    wallets: walletRulesOfMessage(wallets),
    livenessRequired,
    payload: message.payload === PermitPayload.SETTLEMENT ? "settlement" : "none",
    bidsWithoutPrice,
    onSalePage,
  };
}

export function rulesMessage(rules: ParticipationRules): RulesMessage {
  const { enabled, livenessRequired, bidsWithoutPrice, onSalePage, defaultGroupUuid = "" } = rules;
  return create(ParticipationRulesSchema, {
    enabled,
    ...peopleMessage(rules),
    groups: rules.groups.map(groupMessage),
    defaultGroupUuid,
    wallets: {
      ...rules.wallets,
      onScreeningFailure: rules.wallets.onScreeningFailure === "open" ? ScreeningFailure.OPEN : ScreeningFailure.CLOSED,
    },
    livenessRequired,
    payload: rules.payload === "settlement" ? PermitPayload.SETTLEMENT : PermitPayload.NONE,
    bidsWithoutPrice,
    onSalePage,
  });
}

/** Returns the part of rules that everybody may read; undefined where they aren't for everybody. */
export function publicRulesMessage(rules: ParticipationRules): PublicRulesMessage | undefined {
  if (!rules.onSalePage) return undefined;
  const { enabled, groups, defaultGroupUuid, livenessRequired, wallets } = rules;
  const { maxWalletsPerEntity, linkingRequired, denyList, screenerUrl } = wallets;
  return create(PublicRulesSchema, {
    enabled,
    ...peopleMessage(rules),
    groups: groups.map((group) => ({ name: group.name, ...boundsMessage(group) })),
    defaultGroupName: groups.find(({ uuid }) => uuid === defaultGroupUuid)?.name ?? "",
    maxWalletsPerEntity,
    linkingRequired,
    walletsScreened: denyList || screenerUrl !== "",
    livenessRequired,
  });
}

function peopleMessage({ countryRule, countries, entityTypes }: ParticipationRules) {
  return {
    countryRule: countryRule === "only_listed" ? CountryRule.ONLY_LISTED : CountryRule.ALL_BUT_LISTED,
    countries: [...countries],
    entityTypes: entityTypes.map((type) => TYPES[type]),
  };
}

function walletRulesOfMessage(message: WalletRulesMessage): WalletRules {
  const { maxWalletsPerEntity, linkingRequired, denyList, screenerUrl, onScreeningFailure } = message;
  return {
    maxWalletsPerEntity,
    linkingRequired,
    denyList,
    screenerUrl,
    onScreeningFailure: onScreeningFailure === ScreeningFailure.OPEN ? "open" : "closed",
  };
}

function groupOfMessage(message: GroupMessage): ParticipationGroup {
  const { uuid, name, opensAt, closesAt, minAmount, maxAmount, forcedLockup, priority } = message;
  return {
    uuid: uuid.toLowerCase(),
    name,
    opensAt,
    ...(closesAt !== 0n && { closesAt }),
    minAmount: BigInt(minAmount),
    ...(maxAmount !== "" && { maxAmount: BigInt(maxAmount) }),
    minPriceTicks: message.minPriceTicks,
    ...(message.maxPriceTicks !== 0n && { maxPriceTicks: message.maxPriceTicks }),
    forcedLockup,
    priority,
  };
}

function groupMessage(group: ParticipationGroup): GroupMessage {
  const { uuid, name, priority } = group;
  return create(ParticipationGroupSchema, { uuid, name, ...boundsMessage(group), priority });
}

/** Returns what a group means for its members: its window, its limits and whether bids are locked up. */
function boundsMessage(group: ParticipationGroup) {
  const { opensAt, closesAt = 0n, minPriceTicks, maxPriceTicks = 0n, forcedLockup } = group;
  return {
    opensAt,
    closesAt,
    minAmount: group.minAmount.toString(),
    maxAmount: group.maxAmount?.toString() ?? "",
    minPriceTicks,
    maxPriceTicks,
    forcedLockup,
  };
}
