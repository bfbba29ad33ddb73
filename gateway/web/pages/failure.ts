import type { Language } from "../../../common/platform/language/language.ts";
import { fill, fillCounted } from "../../../common/platform/language/message.ts";
import type { AuthFailure } from "../sessions/auth-failure.ts";
import type { Refusal } from "../sessions/sealed-refusal.ts";
import type { Texts } from "../texts/en.ts";
import { TEXTS } from "../texts/texts.ts";
import { PageError, type PageLink } from "./page-error.ts";

/** A failed call as users see it: what they have sent was all right, but for `refused`. */
export type ShownFailure = AuthFailure & {
  /** ID under which the log has a defect; empty for other failures. */
  readonly errorId: string;
};

const STATUS = { limited: 429, unavailable: 503, refused: 400, internal: 500 } as const;

/** Returns the status that says of a failure what it is. */
export function failureStatus({ kind }: AuthFailure): (typeof STATUS)[AuthFailure["kind"]] {
  return STATUS[kind];
}

/** Returns the page about a failure. @param link where the user can go on */
export function failureError(failure: ShownFailure, language: Language, link: PageLink | undefined): PageError {
  const options = {
    ...(link && { link }),
    ...("retryAfterSeconds" in failure && { headers: { "Retry-After": String(failure.retryAfterSeconds) } }),
    ...(failure.errorId !== "" && { detail: fill(TEXTS[language].error.faultId, { id: failure.errorId }) }),
  };
  const titled = (title: (texts: Texts) => string, text: (texts: Texts) => string) =>
    new PageError(failureStatus(failure), title, text, options);
  switch (failure.kind) {
    case "limited":
      return titled(
        ({ error }) => error.waitTitle,
        (texts) => waitText(failure.retryAfterSeconds, texts, language),
      );
    case "unavailable":
      return titled(
        ({ error }) => error.awayTitle,
        ({ error }) => (link === undefined ? error.awayText : error.againText),
      );
    case "refused":
      return titled(
        ({ error }) => error.refusedTitle,
        ({ error }) => error.refusedText,
      );
    case "internal":
      return titled(
        ({ error }) => error.faultTitle,
        ({ error }) => error.againText,
      );
  }
}

/**
 * Returns the page about a failure of a form with more than a step keeps. What was entered is left only in the browser's request, which
 * a reload sends again. The form's page would be empty, so there is no link to it; nor does every browser fill it in when one goes back.
 */
export function unkeptError(failure: ShownFailure, language: Language): PageError {
  const { status, title, text, options } = failureError(failure, language, undefined);
  const sentence = (texts: Texts) => `${text(texts)} ${texts.error.sentByReload}`;
  return new PageError(status, title, sentence, options);
}

const RETRY_AT = "retry_at";
const ERROR_ID = "error_id";

/** Returns a failure for the page of the form that met it. @param values what was entered. @param now in milliseconds since 1970 */
export function failureRefusal(failure: ShownFailure, values: Refusal["values"], now = Date.now()): Refusal {
  const { kind, errorId } = failure;
  const retryAt = "retryAfterSeconds" in failure && String(now + failure.retryAfterSeconds * 1_000);
  return {
    problem: kind,
    values: { ...values, ...(retryAt && { [RETRY_AT]: retryAt }), ...(errorId !== "" && { [ERROR_ID]: errorId }) },
  };
}

/** Returns what the page of a form says about a failure that it met; undefined for another refusal, or none. */
export function failureText(refusal: Refusal | undefined, language: Language, now = Date.now()): string | undefined {
  const texts = TEXTS[language];
  const { error } = texts;
  const values = refusal?.values ?? {};
  switch (refusal?.problem) {
    case "limited":
      return waitText((Number(values[RETRY_AT]) - now) / 1_000, texts, language);
    case "unavailable":
      return `${error.awayTitle}. ${error.againText}`;
    case "internal":
      return `${error.faultTitle}. ${error.againText} ${error.forSupport}: ${fill(error.faultId, { id: values[ERROR_ID] ?? "" })}.`;
    default:
      return undefined;
  }
}

/** Says when something that was tried too often can be tried again. */
function waitText(seconds: number, { error }: Texts, language: Language): string {
  if (seconds <= 0) return `${error.tooOften} ${error.waitIsOver}`;
  const [form, count] = seconds < 60 ? [error.waitSeconds, seconds] : [error.waitMinutes, seconds / 60];
  return `${error.tooOften} ${fillCounted(form, Math.ceil(count), language, {})}`;
}
