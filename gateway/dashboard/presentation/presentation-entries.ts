import type { MessageInitShape } from "@bufbuild/protobuf";
import type { SaleDefinition, SalePresentationSchema } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import type { PageForm } from "../../web/pages/page-form.ts";
import type { FormError, FormErrors } from "../base/form-errors.ts";
import { readUtcEntry, utcEntry } from "../base/utc-entry.ts";
import { readTokenUnits, tokenUnitsEntry } from "../definition/token-units.ts";

/** The form about what people read of a sale, as entered. */
export interface PresentationEntries {
  readonly description: string;
  readonly website: string;
  readonly symbol: string;
  readonly opens: string;
  readonly closes: string;
  /** Number of whole tokens. */
  readonly supply: string;
}

/** The fields of a definition that the form shows. */
export type PresentedDefinition = Partial<Pick<SaleDefinition, "presentation" | "offeredTokenDecimals">>;

/** Labels of the form's fields, by their names. */
export const PRESENTATION_LABELS: Readonly<Record<keyof PresentationEntries, string>> = {
  description: "Description",
  website: "Your site",
  symbol: "Symbol of your token",
  opens: "Opens",
  closes: "Closes",
  supply: "Total supply of your token",
};

/** The message that entries mean, or the errors. */
export type ReadPresentation =
  | { readonly presentation: MessageInitShape<typeof SalePresentationSchema>; readonly errors: readonly [] }
  | { readonly presentation?: undefined; readonly errors: FormErrors };

export function presentationEntriesOf(form: PageForm): PresentationEntries {
  const entry = (name: keyof PresentationEntries) => form.text(name).trim();
  return {
    description: entry("description"),
    website: entry("website"),
    symbol: entry("symbol"),
    opens: entry("opens"),
    closes: entry("closes"),
    supply: entry("supply"),
  };
}

/** Returns the entries that mean the presentation of a definition. */
export function entriesOfPresentation({
  presentation,
  offeredTokenDecimals,
}: PresentedDefinition): PresentationEntries {
  const { description = "", website = "", offeredTokenSymbol = "", totalSupply = "" } = presentation ?? {};
  const time = (seconds: bigint | undefined) => (seconds === undefined ? "" : utcEntry(seconds));
  return {
    description,
    website,
    symbol: offeredTokenSymbol,
    opens: time(presentation?.opensAtSeconds),
    closes: time(presentation?.closesAtSeconds),
    supply: tokenUnitsEntry(totalSupply, offeredTokenDecimals),
  };
}

/**
 * Reads the entries. Only times and numbers that are none are refused here; the service checks the rules.
 *
 * @param offeredDecimals decimals of the offered token; 0 where they aren't known
 */
export function readPresentation(
  { opens, closes, supply, ...entries }: PresentationEntries,
  offeredDecimals: number,
): ReadPresentation {
  const errors: FormError[] = [];
  const refuse = (field: keyof PresentationEntries, text: string) => {
    errors.push({ field, label: PRESENTATION_LABELS[field], text });
    return undefined;
  };
  const time = (field: "opens" | "closes", text: string): bigint | undefined => {
    if (text === "") return undefined;
    const read = readUtcEntry(text);
    return "value" in read ? read.value : refuse(field, read.reason);
  };
  const [opensAtSeconds, closesAtSeconds] = [time("opens", opens), time("closes", closes)];
  const read = supply === "" ? { units: "" } : readTokenUnits(supply, offeredDecimals);
  const totalSupply = "units" in read ? String(read.units) : refuse("supply", read.reason);
  if (errors.length > 0) return { errors };
  const { description, website, symbol } = entries;
  const times = {
    ...(opensAtSeconds !== undefined && { opensAtSeconds }),
    ...(closesAtSeconds !== undefined && { closesAtSeconds }),
  };
  const texts = { description, website, offeredTokenSymbol: symbol, totalSupply: totalSupply ?? "" };
  return { presentation: { ...texts, ...times }, errors: [] };
}

/** Returns the form's field for a field of the contract, such as `definition.presentation.website`. */
export function fieldOfPresentation(
  contractField: string,
): { readonly field: string; readonly label: string } | undefined {
  const field = FIELDS[contractField.replace(/^definition\.presentation\./, "")];
  return field && { field, label: PRESENTATION_LABELS[field] };
}

const FIELDS: Readonly<Record<string, keyof PresentationEntries>> = {
  description: "description",
  website: "website",
  offered_token_symbol: "symbol",
  opens_at_seconds: "opens",
  closes_at_seconds: "closes",
  total_supply: "supply",
};
