import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { readCountry } from "../../web/pages/country-entry.ts";
import type { FormError, FormErrors } from "../base/form-errors.ts";
import { contractErrorField, errorField, type FormTable, type FormValues } from "../base/form-table.ts";
import { readUtcEntry } from "../base/utc-entry.ts";

/** The forms of a reviewer. */
export const DECISION_TABLE = {
  reference: {
    field: "reference",
    kind: "trimmed",
    label: "Reference",
    hint: "The number or name under which the check is kept.",
    contract: ["reference"],
  },
  country: {
    field: "country",
    kind: "trimmed",
    label: "Country",
    hint: "The one that the check found: a name or a two-letter code.",
    contract: ["country"],
  },
  /** The day on which the approval ends; empty: it doesn't. */
  expires: {
    field: "expires",
    kind: "trimmed",
    label: "Approved until",
    hint: "To the end of this day, in UTC. Empty: as long as an approval holds here.",
    contract: ["expires_at"],
  },
  reason: {
    field: "reason",
    kind: "trimmed",
    label: "Reason",
    hint: "The user reads it, on the account page and in a mail.",
    contract: ["reason"],
  },
  question: {
    field: "question",
    kind: "trimmed",
    label: "Question",
    hint: "The user reads it, on the account page and in a mail, and answers there.",
    contract: ["text"],
  },
  note: { field: "note", kind: "trimmed", label: "Note", hint: "Only reviewers read it." },
  isFinal: { field: "final", kind: "ticked", label: "For good", hint: "The user can’t begin again." },
} as const satisfies FormTable;

/** A reviewer's decision as entered. */
export type DecisionFormValues = FormValues<typeof DECISION_TABLE>;

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

/** Reads an approval. It ends with the entered day, in UTC. */
export function readApproval({ reference, country, expires }: DecisionFormValues): ReadApproval {
  const code = readCountry(country);
  const ends = expires === "" ? undefined : readUtcEntry(`${expires} 23:59:59`);
  const errors: FormError[] = [
    ...(reference === ""
      ? [{ ...errorField(DECISION_TABLE.reference), text: "Enter the reference of the outside check" }]
      : []),
    ...(code === undefined
      ? [{ ...errorField(DECISION_TABLE.country), text: "Enter a country’s name or its two-letter code" }]
      : []),
    ...(ends !== undefined && "reason" in ends
      ? [{ ...errorField(DECISION_TABLE.expires), text: "Write a day such as 2028-01-31" }]
      : []),
  ];
  if (code === undefined || errors.length > 0) return { errors };
  const expiresAt = ends !== undefined && "value" in ends && timestampFromMs(Number(ends.value) * 1000);
  return { approval: { reference, country: code, ...(expiresAt && { expiresAt }) } };
}

/** Returns errors for a refusal that the service would refuse in any case. */
export function refusalEntryErrors({ reason }: DecisionFormValues): FormErrors {
  return reason === "" ? [{ ...errorField(DECISION_TABLE.reason), text: "Enter a reason: the user reads it" }] : [];
}

/** Returns errors for a question that the service would refuse in any case. */
export function questionEntryErrors({ question }: DecisionFormValues): FormErrors {
  return question === ""
    ? [{ ...errorField(DECISION_TABLE.question), text: "Enter a question: the user reads it" }]
    : [];
}

/** Returns errors for a note that the service would refuse in any case. */
export function noteEntryErrors({ note }: DecisionFormValues): FormErrors {
  return note === "" ? [{ ...errorField(DECISION_TABLE.note), text: "Enter a note" }] : [];
}

/** Returns the form's field for a field of `DecideReviewRequest`. */
export function fieldOfDecision(contractField: string): { readonly field: string; readonly label: string } | undefined {
  return contractErrorField(DECISION_TABLE, contractField.replace(/^(?:approval|refusal|question)\./, ""));
}

/** Returns the form's field for a field of `AddReviewNoteRequest`. */
export function fieldOfNote(): { readonly field: string; readonly label: string } {
  const { field, label } = DECISION_TABLE.note;
  return { field, label };
}
