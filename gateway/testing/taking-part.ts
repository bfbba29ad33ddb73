import { create, type MessageInitShape } from "@bufbuild/protobuf";
import type { GroupMember, GroupMemberSchema } from "../../proto/gen/tidemark/entities/v1/eligibility_service_pb.ts";
import {
  type ParticipationGroup,
  ParticipationGroupSchema,
  type ParticipationRules,
} from "../../proto/gen/tidemark/entities/v1/participation_rules_pb.ts";
import { takingPartPaths } from "../dashboard/base/dashboard-paths.ts";
import type { FullGateway } from "./auth-gateway.ts";
import { SALE } from "./fake-commitments.ts";

export const GROUP = "99999999-9999-4999-8999-999999999999";
export const OTHER_GROUP = "99999999-9999-4999-8999-999999999998";
export const TAKING_PART = takingPartPaths(SALE);

/** Returns a group with all bounds, in December 2026. */
export function boundedGroup(changes: Partial<ParticipationGroup> = {}): ParticipationGroup {
  return create(ParticipationGroupSchema, {
    uuid: GROUP,
    name: "Early supporters",
    opensAt: 1_796_083_200n,
    closesAt: 1_798_675_200n,
    minAmount: "100000000",
    maxAmount: "5000000000",
    minPriceTicks: 10n,
    maxPriceTicks: 50n,
    priority: 10,
    ...changes,
  });
}

/** Returns the rules of `SALE` with their version. */
export async function storedRules({ entities }: FullGateway): Promise<{ rules: ParticipationRules; version: bigint }> {
  const { rules, version } = await entities.as("operator").eligibility.getRules({ saleUuid: SALE });
  if (rules === undefined) throw new TypeError("GetRulesResponse is incomplete");
  return { rules, version };
}

/** Changes the rules of `SALE`, as an operator does. */
export async function setRules(gateway: FullGateway, change: Partial<ParticipationRules>): Promise<void> {
  const { rules, version: expectedVersion } = await storedRules(gateway);
  const { eligibility } = gateway.entities.as("operator");
  await eligibility.updateRules({ saleUuid: SALE, rules: Object.assign(rules, change), expectedVersion });
}

/** Adds members to groups of `SALE`, as an operator does. */
export async function addMembers(
  { entities }: FullGateway,
  members: readonly MessageInitShape<typeof GroupMemberSchema>[],
): Promise<void> {
  const { eligibility } = entities.as("operator");
  const { problems } = await eligibility.importMembers({ saleUuid: SALE, members: [...members] });
  if (problems.length > 0) throw new Error(JSON.stringify(problems));
}

/** Returns the first members of groups of `SALE`, in no particular order. */
export async function storedMembers({ entities }: FullGateway): Promise<readonly GroupMember[]> {
  const { members } = await entities.as("operator").eligibility.listMembers({ saleUuid: SALE, pageSize: 100 });
  return members;
}
