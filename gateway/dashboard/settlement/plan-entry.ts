import { Buffer } from "node:buffer";
import { ImportError } from "../../../common/sale/csv/import-error.ts";
import { ListFileError } from "../../../common/sale/csv/list-file-error.ts";
import { type ListLine, readLimits, readRefusals } from "../../../common/sale/settlement/list-csv.ts";
import type { AuthContext } from "../../web/http/hono-context.ts";
import { guardedFormOf } from "../../web/pages/form-guard.ts";
import { PageError } from "../../web/pages/page-error.ts";
import type { Texts } from "../../web/texts/en.ts";
import type { DashboardDependencies } from "../base/dashboard-dependencies.ts";
import { guardOf } from "../base/dashboard-page.ts";
import type { FormError, FormErrors } from "../base/form-errors.ts";
import { piecesOf } from "../base/list-upload.ts";
import { texts } from "../base/texts.ts";
import { type UploadForm, uploadForm } from "../base/upload-form.ts";
import type { PlanRequest } from "./make-plan.ts";

export const PLAN_FORM = "settlement plan";

/** Largest list. The page with the plan carries both in base64, so that a download needs no file to be chosen again. */
const MAX_LIST_BYTES = 256 * 1024;
/** Largest form: both lists in base64, and a few fields. */
const MAX_FORM_BYTES = (2 * MAX_LIST_BYTES * 4) / 3 + 16 * 1024;
const BATCH = /^[1-9]\d{0,3}$/;

/** The names of the form's fields, without those of every form. */
export const FIELDS = {
  refusals: "refusals",
  limits: "limits",
  keptRefusals: "kept_refusals",
  keptLimits: "kept_limits",
  batch: "batch",
  /** The wanted part of the plan: `PLAN`, `ALL` or the path of a file. */
  wanted: "do",
  /** SHA-256 of the list of sums of the plan that was shown. */
  sums: "sums",
} as const;

/** The page with the plan. */
export const PLAN = "plan";
/** All files of a plan as an archive. */
export const ALL = "all";

/** A form as it was sent. */
export interface PlanEntry {
  readonly batch: string;
  /** Lists in base64; empty for none. */
  readonly kept: Readonly<Record<"refusals" | "limits", string>>;
  readonly wanted: string;
  /** Empty where no plan was shown. */
  readonly sums: string;
}

/** Reads the form. @throws PageError */
export async function planEntry(c: AuthContext, dependencies: DashboardDependencies): Promise<PlanEntry> {
  const bound = { maxBytes: MAX_FORM_BYTES, title: TOO_LARGE.title, text: TOO_LARGE.text };
  const guard = guardOf(c, dependencies, PLAN_FORM);
  const form = await guardedFormOf(c, dependencies, guard, (context) => uploadForm(context, bound));
  return {
    batch: form.text(FIELDS.batch).trim(),
    kept: {
      refusals: keptList(form, FIELDS.refusals, FIELDS.keptRefusals),
      limits: keptList(form, FIELDS.limits, FIELDS.keptLimits),
    },
    wanted: form.text(FIELDS.wanted),
    sums: form.text(FIELDS.sums),
  };
}

const TOO_LARGE = {
  title: ({ dashboard }: Texts) => dashboard.settlementPlan.uploadTitle,
  text: ({ dashboard }: Texts) => dashboard.settlementPlan.uploadText,
};

function keptList(form: UploadForm, name: string, keptName: string): string {
  const bytes = form.file(name);
  if (bytes === undefined) return form.text(keptName);
  if (bytes.length > MAX_LIST_BYTES) throw new PageError(413, TOO_LARGE.title, TOO_LARGE.text);
  return Buffer.from(bytes).toString("base64");
}

/** Returns what is asked for, or what is wrong with it. */
export async function planRequest({ batch, kept }: PlanEntry): Promise<PlanRequest | FormErrors> {
  const words = texts().settlementPlan;
  const errors: FormError[] = [];
  const read = async <Item>(
    { field, label, list }: { field: string; label: string; list: string },
    lines: (chunks: AsyncIterable<Uint8Array>) => Promise<readonly ListLine<Item>[]>,
  ) => {
    if (list === "") return [];
    try {
      return await lines(piecesOf(Buffer.from(list, "base64")));
    } catch (error) {
      errors.push({ field, label, ...listProblem(error) });
      return [];
    }
  };
  const refusals = await read({ field: FIELDS.refusals, label: words.refusals, list: kept.refusals }, readRefusals);
  const limits = await read({ field: FIELDS.limits, label: words.limits, list: kept.limits }, readLimits);
  if (!BATCH.test(batch)) errors.push({ field: FIELDS.batch, label: words.batch, text: words.batchError });
  return errors.length > 0 ? errors : { lists: { refusals, limits }, batchSize: Number(batch) };
}

/** Returns the rule that a list breaks. @throws the error where it is of another kind */
function listProblem(error: unknown): Pick<FormError, "text" | "isEnglish"> {
  if (error instanceof ImportError) return { text: error.message, isEnglish: true };
  if (!(error instanceof ListFileError)) throw error;
  const { line, message } = error;
  return { text: line === undefined ? message : `line ${line}: ${message}`, isEnglish: true };
}
