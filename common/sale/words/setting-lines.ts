import type { SaleDefinition } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { sourceLocation } from "../definition/source-location.ts";
import { type DefinitionLine, definitionLines } from "./definition-lines.ts";
import { presentationLines } from "./presentation-lines.ts";

/** Returns all settings of a sale as lines to read, for its activity log and for operators. One without a value has an empty text. */
export function settingLines(definition: SaleDefinition): readonly DefinitionLine[] {
  const { name, extraDataParameters, cancelledKeepsAmounts, widePrices, source } = definition;
  const version = sourceLocation(source)?.contractVersion;
  return [
    { label: "Name", text: name },
    ...definitionLines(definition),
    { label: "Stages of the contract", text: version === undefined ? "" : `of version ${version}` },
    { label: "Extra data", text: extraDataParameters },
    cancelledLine(cancelledKeepsAmounts),
    { label: "Price ticks of a price", text: widePrices ? "up to 2^160-1" : "" },
    ...presentationLines(definition),
  ];
}

/** Returns what a contract does with the amounts of cancelled commitments. */
export function cancelledLine(keepsAmounts: boolean): DefinitionLine {
  return { label: "Cancelled commitments", text: keepsAmounts ? "keep their amounts" : "lose their amounts" };
}
