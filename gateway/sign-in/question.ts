import type { AuthContext } from "../web/http/hono-context.ts";

/** Answers the question for a passkey, as the auth service has made it, to the script of a page. */
export function answerQuestion(c: AuthContext, optionsJson: string): Response {
  return c.body(optionsJson, 200, { "Content-Type": "application/json", "X-Content-Type-Options": "nosniff" });
}
