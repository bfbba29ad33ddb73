import { CodeResult } from "../../proto/gen/tidemark/auth/v1/account_service_pb.ts";
import type { PageForm } from "../web/pages/page-form.ts";

/** Bound of the contract. */
const MAX_CODE_CHARACTERS = 64;

/** Returns the entered code. One that is too long for a code is cut, which makes it a wrong one. */
export function enteredCode(form: PageForm): string {
  return form.text("code").slice(0, MAX_CODE_CHARACTERS);
}

/** Returns the error that a page shows about a wrong code. */
export function codeError({ result, triesLeft }: { readonly result: CodeResult; readonly triesLeft: number }) {
  if (result === CodeResult.WRONG && triesLeft > 0) {
    const left = triesLeft === 1 ? "You have one try left" : `You have ${triesLeft} tries left`;
    return { error: `That isn’t the code that we sent. ${left}.`, isOver: false };
  }
  return { error: "This code no longer works: it is too old, was tried too often or was already used.", isOver: true };
}
