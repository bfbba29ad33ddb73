import type { SaleDefinition } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { sourceLocation } from "../definition/source-location.ts";
import { type DefinitionLine, definitionLines } from "./definition-lines.ts";
import { presentationLines } from "./presentation-lines.ts";
import type { SettingChange } from "./setting-change.ts";

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
  for (const { label, text, detail } of allLines(definition)) {
    const number = Array.from(texts.keys()).filter((key) => key.replace(/#\d+$/, "") === label).length;
    texts.set(number === 0 ? label : `${label}#${number}`, label === "Paid in" ? `${text}, ${detail}` : text);
  }
  return texts;
}

function allLines(definition: SaleDefinition): readonly DefinitionLine[] {
  const { name, extraDataParameters, cancelledKeepsAmounts } = definition;
  return [
    { label: "Name", text: name },
    ...definitionLines(definition),
    { label: "Stages of the contract", text: stagesText(definition) },
    { label: "Extra data", text: extraDataParameters },
    { label: "Cancelled commitments", text: cancelledKeepsAmounts ? "keep their amounts" : "lose their amounts" },
    ...presentationLines(definition),
  ];
}

function stagesText({ source }: SaleDefinition): string {
  const version = sourceLocation(source)?.contractVersion;
  return version === undefined ? "" : `of version ${version}`;
}
