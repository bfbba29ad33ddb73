/** The path at which a person ends the mails about a sale without a sign-in: the link of a mail leads there, and mail programs post to it. */
export const ALERT_STOP_PATH = "/account/alerts/stop";

/** The parameter of the address that holds the token. */
export const ALERT_STOP_TOKEN = "token";

/** Returns the address for a token. @param issuer the origin of `AUTH_URL` */
export function alertStopUrl(issuer: string, token: string): string {
  return `${issuer}${ALERT_STOP_PATH}?${new URLSearchParams({ [ALERT_STOP_TOKEN]: token })}`;
}
