import { isIP } from "node:net";

/** Whether a site can have passkeys: they belong to names, never to IP addresses (WebAuthn section 5.1.3). */
export function canHavePasskeys(authUrl: string): boolean {
  const { hostname } = new URL(authUrl);
  return isIP(hostname) === 0 && !hostname.startsWith("[");
}
