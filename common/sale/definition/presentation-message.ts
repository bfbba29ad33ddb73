import type { SalePresentation as PresentationMessage } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import {
  fieldValue,
  presentationOfValues,
  SALE_FIELDS,
  type SaleField,
  type SaleFieldValue,
  type SalePresentation,
} from "./sale-fields.ts";

/** The value of a field in the message; absent, empty or `false` for none. */
export type MessageValue = string | bigint | boolean | undefined;

/**
 * Converts what people read about a sale. Protovalidate has refused times beyond the year 9999, so the numbers are exact, and a
 * total supply that is no integer.
 */
export function presentationOf(message: PresentationMessage): SalePresentation {
  return presentationOfValues((field) => valueOfMessage(field, message[field.key])) ?? {};
}

/** Converts what people read about a sale; the answer initialises a message. */
export function presentationMessage(
  presentation: SalePresentation,
): Readonly<Record<string, string | bigint | boolean>> {
  const values = SALE_FIELDS.flatMap((field) => {
    const value = fieldValue(presentation, field);
    return value === undefined ? [] : [[field.key, messageValue(value)] as const];
  });
  return Object.fromEntries(values);
}

function valueOfMessage({ kind }: SaleField, value: MessageValue): SaleFieldValue | undefined {
  if (value === undefined || value === "" || value === false) return undefined;
  if (value === true) return value;
  if (kind === "time") return Number(value);
  return kind === "amount" ? BigInt(value) : String(value);
}

function messageValue(value: SaleFieldValue): string | bigint | boolean {
  if (typeof value === "number") return BigInt(value);
  return typeof value === "bigint" ? value.toString() : value;
}
