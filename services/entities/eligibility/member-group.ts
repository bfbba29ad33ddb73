import type { MatchedMember } from "../members/matching-members-store.ts";
import type { ParticipationGroup, ParticipationRules } from "../rules/participation-rules.ts";

/** The group whose window and limits count for an entity. */
export interface ChosenGroup {
  readonly group: ParticipationGroup;
  /** The entity's memberships in it; none in a default group of which it is no member. */
  readonly members: readonly MatchedMember[];
}

/**
 * Chooses the group of an entity: of those in which it is a member the one with the greatest priority, of equal ones the
 * first listed; the default group if it is a member of none; undefined if there is none either.
 */
export function chosenGroup(
  { groups, defaultGroupUuid }: Pick<ParticipationRules, "groups" | "defaultGroupUuid">,
  members: readonly MatchedMember[],
): ChosenGroup | undefined {
  const joined = groups.filter(({ uuid }) => members.some(({ groupUuid }) => groupUuid === uuid));
  // The sort is stable: of equal priorities the first listed stays first.
  const [first] = joined.toSorted((a, b) => b.priority - a.priority);
  const group = first ?? groups.find(({ uuid }) => uuid === defaultGroupUuid);
  return group && { group, members: members.filter(({ groupUuid }) => groupUuid === group.uuid) };
}
