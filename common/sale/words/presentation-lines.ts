import type { SaleDefinition } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import type { Message } from "../../platform/language/message.ts";
import type { MessageValue } from "../definition/presentation-message.ts";
import { SALE_FIELDS, type SaleField } from "../definition/sale-fields.ts";
import { type DefinitionLine, type DefinitionStyle, offeredText } from "./definition-lines.ts";
import { utcSecondsText } from "./utc-seconds.ts";

type Presented = Partial<Pick<SaleDefinition, "presentation" | "offeredTokenDecimals">>;

/** The language of what people read about a sale, and its words. */
export interface PresentationStyle {
  readonly labels: Readonly<Record<SaleField["key"], string>>;
  readonly yes: string;
  readonly farTime: Message<"seconds">;
  readonly definition: DefinitionStyle;
}

/**
 * Returns what people read about a sale as lines, those that are entered. The longest text comes last. Times are UTC.
 *
 * @param style English by default, in the words of the log
 */
export function presentationLines(definition: Presented, style?: PresentationStyle): readonly DefinitionLine[] {
  const isLong = (field: SaleField) => field.kind === "text" && field.rows > 1;
  const fields = [...SALE_FIELDS.filter((field) => !isLong(field)), ...SALE_FIELDS.filter(isLong)];
  return fields.flatMap((field) => {
    const value = definition.presentation?.[field.key];
    return value === undefined || value === "" || value === false
      ? []
      : [{ label: style?.labels[field.key] ?? field.label, text: lineText(field, value, definition, style) }];
  });
}

function lineText(
  { kind }: SaleField,
  value: Exclude<NonNullable<MessageValue>, false>,
  definition: Presented,
  style?: PresentationStyle,
): string {
  if (value === true) return style?.yes ?? "yes";
  if (typeof value === "bigint") return utcSecondsText(value, style?.farTime);
  if (kind === "amount") return offeredText(definition, value, style?.definition);
  // The beginning of its hash distinguishes a logo from another one.
  return kind === "logo" ? value.slice(0, 8) : value;
}
