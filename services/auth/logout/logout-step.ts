import type { Client } from "../applications/application.ts";
import type { OAuthError } from "../base/oauth/oauth-error.ts";
import type { LogoutReturn } from "./logout-parameters.ts";

/** The page for a logout request. None leads to the application without a click of the user. */
export type LogoutStep =
  | {
      readonly kind: "confirm";
      /** The application that asks; undefined if the request doesn't name one. */
      readonly client: Client | undefined;
      readonly returnsTo: LogoutReturn | undefined;
      /** The address of the account that is signed in. */
      readonly email: string;
      /** Whether the application's ID token is about another user. */
      readonly isOtherUser: boolean;
    }
  | {
      /** Nobody is signed in. */
      readonly kind: "signed_out";
      readonly client: Client | undefined;
      readonly returnsTo: LogoutReturn | undefined;
    }
  | { readonly kind: "error"; readonly error: OAuthError };
