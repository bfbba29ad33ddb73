import { html } from "hono/html";
import { enumName, enumNumber } from "../../common/platform/encoding/enum-name.ts";
import type { Language } from "../../common/platform/language/language.ts";
import { fillCounted } from "../../common/platform/language/message.ts";
import { CodeResult, CodeResultSchema } from "../../proto/gen/tidemark/auth/v1/account_service_pb.ts";
import { errorSummary, hiddenFields, textField, titleWith } from "../web/pages/fields.ts";
import type { Html, Page } from "../web/pages/layout.ts";
import { readScript } from "../web/pages/page-assets.ts";
import type { PageForm } from "../web/pages/page-form.ts";
import { PASSKEY_MODULE } from "../web/pages/passkey-form.ts";
import { clientLine, formTargetsOf, testNotice } from "../web/pages/requesting-application.ts";
import { AUTH_PATHS } from "../web/sessions/auth-paths.ts";
import type { Refusal } from "../web/sessions/sealed-refusal.ts";
import type { Texts } from "../web/texts/en.ts";
import { TEXTS } from "../web/texts/texts.ts";
import { type CodeState, codeSent, NEXT_CODE_MODULE, nextCode } from "./next-code.ts";
import { SIGN_IN_FORM, type SignInPurpose, signInAddress } from "./sign-in-page.ts";

export const CODE_FORM = "sign-in code";
/** The script of the page: it offers a passkey after the sign-in, and counts down to the next code. */
export const CODE_SCRIPT = readScript(PASSKEY_MODULE, NEXT_CODE_MODULE);

export interface CodeView extends SignInPurpose {
  readonly browserToken: string;
  readonly signIn: string;
  readonly state: CodeState;
  readonly error?: string | undefined;
  /** The failure that the form met, of which the code isn't the cause. */
  readonly failure?: string | undefined;
}

/** Returns the page that asks for the one-time code. */
export function codePage(view: CodeView, language: Language): Page {
  const { client, error, failure, state } = view;
  const { isOver } = state;
  const texts = TEXTS[language];
  const title = isOver ? texts.code.overTitle : texts.code.title;
  const problem = failure ?? error;
  return {
    title: titleWith(title, problem, texts),
    language,
    address: codeAddress(view),
    formTargets: view.authorization === "" ? "self" : formTargetsOf(client),
    notice: testNotice(client, texts),
    status: problem === undefined ? 200 : 422,
    script: CODE_SCRIPT,
    content: html`${errorSummary(problem, isOver || error === undefined ? undefined : "code", texts)}
<h1>${title}</h1>
${client && clientLine(texts.signIn.continueTo, client)}
${isOver ? overText(error, texts) : codeForm(view, language)}
${otherWays(view, language)}`,
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
    attributes: html`class="code" autocomplete="one-time-code" inputmode="text" autocapitalize="characters" spellcheck="false" autofocus`,
  });
}

/** Returns the reason why there is no field; nothing where the summary of errors has said it. */
export function overText(error: string | undefined, { code }: Texts): Html | undefined {
  return error === undefined ? html`<p>${code.over}</p>` : undefined;
}

function codeForm(view: CodeView, language: Language): Html {
  const { signIn, authorization, next, state } = view;
  const texts = TEXTS[language];
  return html`${codeSent(state, language)}
<form method="post" action="${AUTH_PATHS.code}" data-passkey-offer>
${hiddenFields(CODE_FORM, view.browserToken, { sign_in: signIn, authorization, next })}
${codeField(view.error, texts)}
<button class="primary">${texts.code.signIn}</button>
</form>`;
}

function otherWays(view: CodeView, language: Language): Html {
  const { state, authorization, next, browserToken, signIn } = view;
  const { email, isOver } = state;
  const { code } = TEXTS[language];
  const sent = { sign_in: signIn, authorization, next, email: email ?? "" };
  const fields = hiddenFields(SIGN_IN_FORM, browserToken, sent);
  return html`<div class="${isOver ? "ways" : "aside"}">
${isOver ? "" : html`<p class="quiet">${code.none}</p>`}
${email && nextCode(state, { action: AUTH_PATHS.signIn, fields }, language)}
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

/**
 * Returns the error that a page shows about a refused code. None where the sign-in isn't over any more, or is meanwhile: the
 * page is shown as it is now, and says the rest itself. One that doesn't know whether it is over has it from the refusal.
 */
export function refusedCodeError(
  { problem, values }: Refusal,
  { isOver }: Pick<CodeState, "isOver">,
  language: Language,
): string | undefined {
  const result = enumNumber(CodeResultSchema, problem) ?? CodeResult.UNSPECIFIED;
  const refused = codeError({ result, triesLeft: Number(values["tries_left"]) }, language);
  return isOver === undefined || refused.isOver === isOver ? refused.error : undefined;
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
