import type { SaleDefinition } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import type { MessageValue } from "../definition/presentation-message.ts";
import { SALE_FIELDS, type SaleField } from "../definition/sale-fields.ts";
import { type DefinitionLine, offeredText } from "./definition-lines.ts";
import { utcSecondsText } from "./utc-seconds.ts";

type Presented = Partial<Pick<SaleDefinition, "presentation" | "offeredTokenDecimals">>;

/** Returns what people read about a sale as lines, those that are entered. The longest text comes last. Times are UTC. */
export function presentationLines(definition: Presented): readonly DefinitionLine[] {
  const isLong = (field: SaleField) => field.kind === "text" && field.rows > 1;
  const fields = [...SALE_FIELDS.filter((field) => !isLong(field)), ...SALE_FIELDS.filter(isLong)];
  return fields.flatMap((field) => {
    const value = definition.presentation?.[field.key];
    return value === undefined || value === "" || value === false
      ? []
      : [{ label: field.label, text: lineText(field, value, definition) }];
  });
}

function lineText({ kind }: SaleField, value: NonNullable<MessageValue>, definition: Presented): string {
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "bigint") return utcSecondsText(value);
  if (kind === "amount") return offeredText(definition, value);
  // The beginning of its hash distinguishes a logo from another one.
  return kind === "logo" ? value.slice(0, 8) : value;
}
