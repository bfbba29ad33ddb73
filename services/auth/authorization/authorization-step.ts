import type { OAuthError } from "../base/oauth/oauth-error.ts";
import type { ConsentScope } from "../consents/consent.ts";
import type { ReturnTarget } from "./authorization-request.ts";

/** The reason for an error page. */
export type ErrorReason = "untrusted" | "refused" | "expired" | "other_browser" | "answered";

/** The next step of the browser. */
export type AuthorizationStep =
  | {
      readonly kind: "sign_in";
      readonly handle: string;
      readonly target: ReturnTarget;
      /** The e-mail address with which the page begins. */
      readonly loginHint: string | undefined;
    }
  | {
      readonly kind: "choose_account";
      readonly handle: string;
      readonly target: ReturnTarget;
      readonly accountUuid: string;
      readonly email: string;
    }
  | {
      readonly kind: "consent";
      readonly handle: string;
      readonly target: ReturnTarget;
      readonly accountUuid: string;
      readonly email: string;
      readonly scopes: readonly ConsentScope[];
      /** Whether the application also gets an ID token. */
      readonly identifies: boolean;
    }
  | { readonly kind: "redirect"; readonly url: string }
  | ErrorStep;

/** A page that shows an error. */
export interface ErrorStep {
  readonly kind: "error";
  readonly reason: ErrorReason;
  readonly error: OAuthError;
  /** Absent if it is unknown or can't be trusted. */
  readonly target?: ReturnTarget;
  /** The redirect URI with the error, for the user to follow. */
  readonly redirectUrl?: string;
  /** The handle of an answered authorization that can begin again. */
  readonly handle?: string | undefined;
}
