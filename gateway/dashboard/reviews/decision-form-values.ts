import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { readCountry } from "../../web/pages/country-entry.ts";
import type { FormError, FormErrors } from "../base/form-errors.ts";
import { contractErrorField, errorField, type FormTable, type FormValues } from "../base/form-table.ts";
import { texts } from "../base/texts.ts";
import { readUtcEntry } from "../base/utc-entry.ts";

/** The forms of a reviewer. */
export const DECISION_TABLE = {
  reference: {
    field: "reference",
    kind: "trimmed",
    get label() {
      return texts().reviews.reference;
    },
    get hint() {
      return texts().reviews.referenceHint;
    },
    contract: ["reference"],
  },
  country: {
    field: "country",
    kind: "trimmed",
    get label() {
      return texts().reviews.country;
    },
    get hint() {
      return texts().reviews.countryHint;
    },
    contract: ["country"],
  },
  /** The day on which the approval ends; empty: it doesn't. */
  expires: {
    field: "expires",
    kind: "trimmed",
    get label() {
      return texts().reviews.expires;
    },
    get hint() {
      return texts().reviews.expiresHint;
    },
    contract: ["expires_at"],
  },
  reason: {
    field: "reason",
    kind: "trimmed",
    get label() {
      return texts().reviews.reason;
    },
    get hint() {
      return texts().reviews.reasonHint;
    },
    contract: ["reason"],
  },
  question: {
    field: "question",
    kind: "trimmed",
    get label() {
      return texts().reviews.question;
    },
    get hint() {
      return texts().reviews.questionHint;
    },
    contract: ["text"],
  },
  note: {
    field: "note",
    kind: "trimmed",
    get label() {
      return texts().reviews.note;
    },
    get hint() {
      return texts().reviews.noteHint;
    },
  },
  isFinal: {
    field: "final",
    kind: "ticked",
    get label() {
      return texts().reviews.final;
    },
    get hint() {
      return texts().reviews.finalHint;
    },
  },
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
    ...(reference === "" ? [{ ...errorField(DECISION_TABLE.reference), text: texts().reviews.referenceError }] : []),
    ...(code === undefined ? [{ ...errorField(DECISION_TABLE.country), text: texts().reviews.countryError }] : []),
    ...(ends !== undefined && "reason" in ends
      ? [{ ...errorField(DECISION_TABLE.expires), text: texts().reviews.expiresError }]
      : []),
  ];
  if (code === undefined || errors.length > 0) return { errors };
  const expiresAt = ends !== undefined && "value" in ends && timestampFromMs(Number(ends.value) * 1000);
  return { approval: { reference, country: code, ...(expiresAt && { expiresAt }) } };
}

/** Returns errors for a refusal that the service would refuse in any case. */
export function refusalEntryErrors({ reason }: DecisionFormValues): FormErrors {
  return reason === "" ? [{ ...errorField(DECISION_TABLE.reason), text: texts().reviews.reasonError }] : [];
}

/** Returns errors for a question that the service would refuse in any case. */
export function questionEntryErrors({ question }: DecisionFormValues): FormErrors {
  return question === "" ? [{ ...errorField(DECISION_TABLE.question), text: texts().reviews.questionError }] : [];
}

/** Returns errors for a note that the service would refuse in any case. */
export function noteEntryErrors({ note }: DecisionFormValues): FormErrors {
  return note === "" ? [{ ...errorField(DECISION_TABLE.note), text: texts().reviews.noteError }] : [];
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
