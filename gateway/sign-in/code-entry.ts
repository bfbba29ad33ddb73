import type { Language } from "../../common/platform/language/language.ts";
import { fillCounted } from "../../common/platform/language/message.ts";
import { CodeResult } from "../../proto/gen/tidemark/auth/v1/account_service_pb.ts";
import type { PageForm } from "../web/pages/page-form.ts";
import { TEXTS } from "../web/texts/texts.ts";

/** Bound of the contract. */
const MAX_CODE_CHARACTERS = 64;

/** Returns the entered code. One that is too long for a code is cut, which makes it a wrong one. */
export function enteredCode(form: PageForm): string {
  return form.text("code").slice(0, MAX_CODE_CHARACTERS);
}

/** Returns the error that a page shows about a wrong code. */
export function codeError(
  { result, triesLeft }: { readonly result: CodeResult; readonly triesLeft: number },
  language: Language,
) {
  const { code } = TEXTS[language];
  return result === CodeResult.WRONG && triesLeft > 0
    ? { error: fillCounted(code.wrong, triesLeft, language, {}), isOver: false }
    : { error: code.over, isOver: true };
}
