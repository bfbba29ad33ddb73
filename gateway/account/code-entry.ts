import { CodeResult } from "../../proto/gen/tidemark/auth/v1/account_service_pb.ts";
import type { PageForm } from "../web/pages/page-form.ts";

/** The contract's bound. */
const MAX_CODE_CHARACTERS = 64;

/** A code that is too long to be any is cut, and so wrong. */
export function enteredCode(form: PageForm): string {
  return form.text("code").slice(0, MAX_CODE_CHARACTERS);
}

/** What a code page says of a code that wasn't right. */
export function codeError({ result, triesLeft }: { readonly result: CodeResult; readonly triesLeft: number }) {
  if (result === CodeResult.WRONG && triesLeft > 0) {
    const left = triesLeft === 1 ? "You have one try left" : `You have ${triesLeft} tries left`;
    return { error: `That isn’t the code that we sent. ${left}.`, isOver: false };
  }
  return { error: "This code no longer works: it is too old, was tried too often or was already used.", isOver: true };
}
