import type { SaleDefinition } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import type { SettingChange } from "./setting-change.ts";
import { settingLines } from "./setting-lines.ts";

/** Returns the settings in which two definitions differ. */
export function definitionChanges(before: SaleDefinition, after: SaleDefinition): readonly SettingChange[] {
  const [old, now] = [textsByLabel(before), textsByLabel(after)];
  const labels = new Set([...old.keys(), ...now.keys()]);
  return Array.from(labels, (label) => ({
    field: label.replace(/#\d+$/, ""),
    before: old.get(label) ?? "",
    after: now.get(label) ?? "",
  })).filter((change) => change.before !== change.after);
}

/** Returns the texts of all settings. A label that occurs again, as with several payment tokens, has its number behind `#`. */
function textsByLabel(definition: SaleDefinition): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  for (const { label, text, detail, isRounded = false } of settingLines(definition)) {
    const number = Array.from(texts.keys()).filter((key) => key.replace(/#\d+$/, "") === label).length;
    texts.set(
      number === 0 ? label : `${label}#${number}`,
      label === "Paid in" || isRounded ? `${text}, ${detail}` : text,
    );
  }
  return texts;
}
