import type { OAuthError } from "../base/oauth-error.ts";
import type { ReturnTarget } from "./authorization-request.ts";
import type { ConsentScope } from "./consent.ts";

/** Why an error shows as a page. */
export type ErrorReason = "untrusted" | "refused" | "expired" | "other_browser" | "answered";

/** What the browser is to do. */
export type AuthorizationStep =
  | { readonly kind: "sign_in"; readonly handle: string; readonly target: ReturnTarget }
  | {
      readonly kind: "consent";
      readonly handle: string;
      readonly target: ReturnTarget;
      readonly accountUuid: string;
      readonly email: string;
      readonly scopes: readonly ConsentScope[];
    }
  | { readonly kind: "redirect"; readonly url: string }
  | ErrorStep;

/** A page that tells an error. */
export interface ErrorStep {
  readonly kind: "error";
  readonly reason: ErrorReason;
  readonly refusal: OAuthError;
  /** Absent where it can't be trusted, or isn't known. */
  readonly target?: ReturnTarget;
  /** The redirect URI with the error, for the user to follow. */
  readonly redirectUrl?: string;
}
