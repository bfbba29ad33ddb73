import type { ParticipationGroup } from "../../../proto/gen/tidemark/entities/v1/participation_rules_pb.ts";
import { UsageError } from "../base/cli-error.ts";
import type { CommandInput } from "../base/command.ts";

/** The UUID of the group that `--group` names, by its name or UUID. @throws UsageError unless it is exactly one */
export function groupOption(input: CommandInput, groups: readonly ParticipationGroup[]): string | undefined {
  const text = input.text("group")?.trim();
  if (text === undefined) return undefined;
  const [group, ...others] = groups.filter(({ uuid, name }) => uuid === text.toLowerCase() || name.trim() === text);
  if (group === undefined) throw new UsageError("--group: the sale has no such group");
  if (others.length > 0) throw new UsageError("--group: several groups have this name; give the UUID of one");
  return group.uuid;
}
