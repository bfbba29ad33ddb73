/** A setting before and after a change, as people read it. */
export interface SettingChange {
  readonly field: string;
  /** Empty for a setting that was added. */
  readonly before: string;
  /** Empty for a setting that was removed. */
  readonly after: string;
}

/** The bounds of a sale's activity log, as `SettingChange` of the protos has them. */
const MAX_CHANGES = 20;
const MAX_FIELD_CHARACTERS = 100;
const MAX_TEXT_CHARACTERS = 512;

/** Returns changes within the bounds of the activity log. */
export function boundedChanges(changes: readonly SettingChange[]): SettingChange[] {
  return changes.slice(0, MAX_CHANGES).map(({ field, before, after }) => ({
    field: shortened(field, MAX_FIELD_CHARACTERS),
    before: shortened(before, MAX_TEXT_CHARACTERS),
    after: shortened(after, MAX_TEXT_CHARACTERS),
  }));
}

function shortened(text: string, maxCharacters: number): string {
  const characters = Array.from(text);
  return characters.length <= maxCharacters ? text : `${characters.slice(0, maxCharacters - 1).join("")}…`;
}
