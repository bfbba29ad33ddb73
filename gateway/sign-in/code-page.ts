import { html } from "hono/html";
import { enumName, enumNumber } from "../../common/platform/encoding/enum-name.ts";
import type { Language } from "../../common/platform/language/language.ts";
import { fillCounted } from "../../common/platform/language/message.ts";
import { CodeResult, CodeResultSchema } from "../../proto/gen/tidemark/auth/v1/account_service_pb.ts";
import { errorSummary, hiddenFields, textField, titleWith } from "../web/pages/fields.ts";
import { fillHtml } from "../web/pages/fill-html.ts";
import type { Html, Page } from "../web/pages/layout.ts";
import type { PageForm } from "../web/pages/page-form.ts";
import { PASSKEY_SCRIPT } from "../web/pages/passkey-form.ts";
import { clientLine, formTargetsOf, testNotice } from "../web/pages/requesting-application.ts";
import { AUTH_PATHS } from "../web/sessions/auth-paths.ts";
import type { Refusal } from "../web/sessions/sealed-refusal.ts";
import type { Texts } from "../web/texts/en.ts";
import { TEXTS } from "../web/texts/texts.ts";
import { SIGN_IN_FORM, type SignInPurpose, signInAddress } from "./sign-in-page.ts";

export const CODE_FORM = "sign-in code";

export interface CodeView extends SignInPurpose {
  readonly browserToken: string;
  readonly signIn: string;
  /** Address that the code was sent to; undefined where the browser has begun another sign-in since. */
  readonly email: string | undefined;
  readonly error?: string;
  /** Whether the code no longer counts, so the user needs a new one. */
  readonly isOver?: boolean;
}

/** Returns the page that asks for the one-time code. */
export function codePage(view: CodeView, language: Language): Page {
  const { client, error, isOver = false } = view;
  const texts = TEXTS[language];
  const title = isOver ? texts.code.overTitle : texts.code.title;
  return {
    title: titleWith(title, error, texts),
    language,
    address: codeAddress(view),
    formTargets: view.authorization === "" ? "self" : formTargetsOf(client),
    notice: testNotice(client, texts),
    status: error === undefined ? 200 : 422,
    script: PASSKEY_SCRIPT,
    content: html`${errorSummary(error, isOver ? undefined : "code", texts)}
<h1>${title}</h1>
${client && clientLine(texts.signIn.continueTo, client)}
${isOver ? "" : codeForm(view, texts)}
${otherWays(view, texts)}`,
  };
}

/** Returns the address of the page that asks for the code of a sign-in. */
export function codeAddress({
  signIn,
  authorization,
  next,
}: Pick<CodeView, "signIn" | "authorization" | "next">): string {
  const values = Object.entries({ sign_in: signIn, authorization, next }).filter(([, value]) => value !== "");
  return `${AUTH_PATHS.code}?${new URLSearchParams(values)}`;
}

/** Returns the field for a one-time code. */
export function codeField(error: string | undefined, { code }: Texts): Html {
  return textField({
    id: "code",
    name: "code",
    label: code.label,
    hint: html`${code.hint}`,
    error,
    attributes: html`class="code" autocomplete="one-time-code" inputmode="text" autocapitalize="characters" spellcheck="false"`,
  });
}

/**
 * Returns the line that names the address to which the code was sent. It doesn't say that a mail was sent: none is where
 * the address was sent too many, and the page must not reveal that.
 */
export function codeSent(email: string | undefined, { code }: Texts): Html {
  const address = email === undefined ? code.enteredAddress : html`<strong><bdi>${email}</bdi></strong>`;
  return html`<p>${fillHtml(code.sent, { address })}</p>`;
}

function codeForm(view: CodeView, texts: Texts): Html {
  const { signIn, authorization, next } = view;
  return html`${codeSent(view.email, texts)}
<form method="post" action="${AUTH_PATHS.code}" data-passkey-offer>
${hiddenFields(CODE_FORM, view.browserToken, { sign_in: signIn, authorization, next })}
${codeField(view.error, texts)}
<button class="primary">${texts.code.signIn}</button>
</form>`;
}

function otherWays(view: CodeView, { code }: Texts): Html {
  const { email, authorization, next, browserToken, isOver = false } = view;
  const fields = hiddenFields(SIGN_IN_FORM, browserToken, { authorization, next, email: email ?? "" });
  return html`<div class="${isOver ? "ways" : "aside"}">
${isOver ? "" : html`<p class="quiet">${code.none}</p>`}
${email && html`<form method="post" action="${AUTH_PATHS.signIn}">${fields}<button class="${isOver ? "primary" : "link"}">${code.sendAgain}</button></form>`}
<p><a href="${signInAddress({ authorization, next })}">${code.otherAddress}</a></p>
</div>`;
}

/** Bound of the contract: a code with whatever mail programs, keyboards and clipboards put around it. */
const MAX_CODE_CHARACTERS = 256;

/** Returns the entered code. Text that is too long for one is cut. */
export function enteredCode(form: PageForm): string {
  return form.text("code").slice(0, MAX_CODE_CHARACTERS);
}

/** Returns the refusal of a code that wasn't correct. The code itself isn't kept. */
export function codeRefusal(
  { result, triesLeft }: { readonly result: CodeResult; readonly triesLeft: number },
  values: Refusal["values"] = {},
): Refusal {
  return { problem: enumName(CodeResultSchema, result) ?? "", values: { ...values, tries_left: String(triesLeft) } };
}

/** Returns the error that a page shows about a refused code. */
export function refusedCodeError({ problem, values }: Refusal, language: Language) {
  const result = enumNumber(CodeResultSchema, problem) ?? CodeResult.UNSPECIFIED;
  return codeError({ result, triesLeft: Number(values["tries_left"]) }, language);
}

/** Returns the error that a page shows about an entry that isn't the code. */
function codeError(
  { result, triesLeft }: { readonly result: CodeResult; readonly triesLeft: number },
  language: Language,
) {
  const { code } = TEXTS[language];
  if (result === CodeResult.NOT_A_CODE) return { error: code.notACode, isOver: false };
  return result === CodeResult.WRONG && triesLeft > 0
    ? { error: fillCounted(code.wrong, triesLeft, language, {}), isOver: false }
    : { error: code.over, isOver: true };
}
