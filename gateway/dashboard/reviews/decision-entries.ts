import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { readCountry } from "../../web/pages/country-entry.ts";
import type { PageForm } from "../../web/pages/page-form.ts";
import type { FormError, FormErrors } from "../base/form-errors.ts";
import { readUtcEntry } from "../base/utc-entry.ts";

/** A reviewer's decision as entered. */
export interface DecisionEntries {
  readonly reference: string;
  readonly country: string;
  /** The day on which the approval ends; empty: it doesn't. */
  readonly expires: string;
  readonly reason: string;
  readonly isFinal: boolean;
}

/** An approval as the service takes it, or the errors. */
export type ReadApproval =
  | {
      readonly approval: {
        readonly reference: string;
        readonly country: string;
        readonly expiresAt?: ReturnType<typeof timestampFromMs>;
      };
    }
  | { readonly approval?: undefined; readonly errors: FormErrors };

export function decisionEntriesOf(form: PageForm): DecisionEntries {
  return {
    reference: form.text("reference").trim(),
    country: form.text("country").trim(),
    expires: form.text("expires").trim(),
    reason: form.text("reason").trim(),
    isFinal: form.text("final") === "yes",
  };
}

/** Reads an approval. It ends with the entered day, in UTC. */
export function readApproval({ reference, country, expires }: DecisionEntries): ReadApproval {
  const code = readCountry(country);
  const ends = expires === "" ? undefined : readUtcEntry(`${expires} 23:59:59`);
  const errors: FormError[] = [
    ...(reference === ""
      ? [{ field: "reference", label: "Reference", text: "Enter the reference of the outside check" }]
      : []),
    ...(code === undefined
      ? [{ field: "country", label: "Country", text: "Enter a country’s name or its two-letter code" }]
      : []),
    ...(ends !== undefined && "reason" in ends
      ? [{ field: "expires", label: "Approved until", text: "Write a day such as 2028-01-31" }]
      : []),
  ];
  if (code === undefined || errors.length > 0) return { errors };
  const expiresAt = ends !== undefined && "value" in ends && timestampFromMs(Number(ends.value) * 1000);
  return { approval: { reference, country: code, ...(expiresAt && { expiresAt }) } };
}

/** Returns errors for a refusal that the service would refuse in any case. */
export function refusalEntryErrors({ reason }: DecisionEntries): FormErrors {
  return reason === "" ? [{ field: "reason", label: "Reason", text: "Enter a reason: the user reads it" }] : [];
}

/** Returns the form's field for a field of `DecideReviewRequest`. */
export function fieldOfDecision(contractField: string): { readonly field: string; readonly label: string } | undefined {
  return FIELDS[contractField.replace(/^(?:approval|refusal)\./, "")];
}

const FIELDS: Readonly<Record<string, { readonly field: string; readonly label: string }>> = {
  reference: { field: "reference", label: "Reference" },
  country: { field: "country", label: "Country" },
  expires_at: { field: "expires", label: "Approved until" },
  reason: { field: "reason", label: "Reason" },
};
