/** The security settings of an application that are one value each, as the protos and the stored definition have them. */
export interface SecuritySettings {
  readonly requirePushedAuthorizationRequests: boolean;
  readonly dpopBoundAccessTokens: boolean;
  readonly idTokenSignedResponseAlg: string;
  readonly tokenEndpointAuthMethod: string;
}

/** A security setting with its name and its value in words. */
export interface SecurityWords {
  readonly name: string;
  text(security: SecuritySettings): string;
}

/** The settings, as the activity log, mails and the operator's command show them. */
export const SECURITY_WORDS: readonly SecurityWords[] = [
  {
    name: "Pushed authorization requests",
    text: ({ requirePushedAuthorizationRequests }) => requirementText(requirePushedAuthorizationRequests),
  },
  { name: "DPoP", text: ({ dpopBoundAccessTokens }) => requirementText(dpopBoundAccessTokens) },
  { name: "ID token algorithm", text: ({ idTokenSignedResponseAlg }) => idTokenSignedResponseAlg },
  { name: "Client authentication", text: ({ tokenEndpointAuthMethod }) => tokenEndpointAuthMethod },
];

/** Names of the settings that are lists. */
export const APPLICATION_LISTS = {
  redirectUri: "Redirect URI",
  publicKey: "Public key",
  postLogoutUri: "Post-logout redirect URI",
} as const;

/** Says whether something must be there, such as a scope that the user grants. */
export function requirementText(isRequired: boolean): "required" | "optional" {
  return isRequired ? "required" : "optional";
}
