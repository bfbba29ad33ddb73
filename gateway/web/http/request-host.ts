const DEFAULT_PORTS: Readonly<Record<string, string>> = { "http:": "80", "https:": "443" };

/**
 * Returns a function that says whether a `Host` header names the host of a URL: in any case, with or without the scheme's
 * default port (RFC 9110 section 4.2.3).
 *
 * @param url an http or https URL
 */
export function hostMatcher(url: string): (host: string | undefined) => boolean {
  const { protocol, host, port } = new URL(url);
  const written = port === "" ? [host, `${host}:${DEFAULT_PORTS[protocol]}`] : [host];
  return (header) => header !== undefined && written.includes(header.toLowerCase());
}
