import type { Violation } from "../../../../common/platform/errors/service-error.ts";
import { isLoopbackHost } from "../../../../common/platform/outbound/loopback-host.ts";
import { isPublicHost } from "../../../../common/platform/outbound/public-host.ts";
import type { Tenancy } from "../../memberships/read-sale.ts";

const MAX_REDIRECT_URIS = 20;
const MAX_CHARACTERS = 1_024;
/** The maximum length of a DNS name (RFC 1035 section 2.3.4). */
const MAX_HOST_CHARACTERS = 253;
/**
 * Parameters of authorization responses. Clients trust them, so a registered URI must not have its own: ours (RFC 6749 section
 * 4.1.2, RFC 9207), and those of other response types and modes, which libraries look for too (RFC 6749 section 4.2.2, OpenID
 * Connect Core section 3.2.2.5, OpenID Connect Session Management section 2, JARM section 2.3.1).
 */
const RESPONSE_PARAMETERS = [
  "code",
  "state",
  "iss",
  "error",
  "error_description",
  "error_uri",
  "access_token",
  "token_type",
  "expires_in",
  "scope",
  "id_token",
  "session_state",
  "response",
];
/** The address, the port and the rest of a URI whose application chooses the port at its start (RFC 8252 section 7.3). */
const LOOPBACK_URI = /^(http:\/\/(?:127\.0\.0\.1|\[::1\]))(?::([1-9][0-9]{0,4}))?(\/[^#]*)?$/;
const MAX_PORT = 65_535;

interface Rule {
  readonly rule: string;
  readonly message: string;
  isBroken(url: URL, text: string, tenancy: Tenancy): boolean;
}

/** The rules in order. Only the first broken one is reported. */
const RULES: readonly Rule[] = [
  {
    rule: "redirect_uri.scheme",
    message: "must begin with https:, or for test sales with http://localhost",
    isBroken: ({ protocol }) => protocol !== "https:" && protocol !== "http:",
  },
  {
    rule: "redirect_uri.fragment",
    message: "must not have a fragment, not even an empty one",
    isBroken: (_, text) => text.includes("#"),
  },
  {
    rule: "redirect_uri.credentials",
    message: "must not contain a user or password",
    isBroken: ({ username, password }) => username !== "" || password !== "",
  },
  {
    rule: "redirect_uri.wildcard",
    message: "must not contain a wildcard: it is compared exactly",
    isBroken: (_, text) => text.includes("*"),
  },
  {
    rule: "redirect_uri.canonical",
    message:
      "must be written as browsers write it: lower-case host, no default port, no `..`, a path, encoded as needed",
    isBroken: (url, text) => url.href !== text && !isPathlessLoopback(url, text),
  },
  {
    rule: "redirect_uri.host",
    message: `must have a host of at most ${MAX_HOST_CHARACTERS} characters`,
    isBroken: ({ hostname }) => hostname.length > MAX_HOST_CHARACTERS,
  },
  {
    rule: "redirect_uri.loopback",
    message: "must not be an address of the user's own machine; only test sales may use those",
    isBroken: ({ hostname }, _, tenancy) => tenancy === "live" && isLoopbackHost(hostname),
  },
  {
    rule: "redirect_uri.insecure",
    message: "must begin with https:; test sales may also use http://localhost",
    isBroken: ({ protocol, hostname }) => protocol === "http:" && !isLoopbackHost(hostname),
  },
  {
    rule: "redirect_uri.private",
    message: "must not be a private or reserved address, or a host without a dot; only test sales may use those",
    isBroken: ({ hostname }, _, tenancy) => tenancy === "live" && !isPublicHost(hostname),
  },
  {
    rule: "redirect_uri.query",
    message: "must not have a parameter of OAuth responses in its query, such as code, state or error",
    isBroken: ({ searchParams }) => RESPONSE_PARAMETERS.some((name) => searchParams.has(name)),
  },
];

/**
 * Returns the violations of the URIs to which a client has users sent (RFC 9700 section 2.1).
 *
 * @param field the name of the list in violations
 */
export function redirectUriViolations(uris: readonly string[], tenancy: Tenancy, field: string): readonly Violation[] {
  if (uris.length > MAX_REDIRECT_URIS) {
    return [{ field, rule: "redirect_uris.count", message: `must be at most ${MAX_REDIRECT_URIS}` }];
  }
  return uris.flatMap((uri, index) => {
    const broken = uris.indexOf(uri) < index ? REPEATED : brokenRule(uri, tenancy);
    return broken === undefined ? [] : [{ field: `${field}[${index}]`, rule: broken.rule, message: broken.message }];
  });
}

/**
 * Whether a URI is the user's own machine without a path, as libraries for installed applications write it. It stays as it is: with a
 * path of `/` it is another one, as URIs are compared exactly.
 */
function isPathlessLoopback({ href, hostname }: URL, text: string): boolean {
  return href === `${text}/` && isLoopbackHost(hostname);
}

type BrokenRule = Pick<Rule, "rule" | "message">;

const REPEATED: BrokenRule = { rule: "redirect_uri.doubled", message: "is there twice" };
const NO_URL: BrokenRule = { rule: "redirect_uri.url", message: "must be an absolute URL" };
const TOO_LONG: BrokenRule = { rule: "redirect_uri.length", message: `must have at most ${MAX_CHARACTERS} characters` };

function brokenRule(text: string, tenancy: Tenancy): BrokenRule | undefined {
  if (text.length > MAX_CHARACTERS) return TOO_LONG;
  const url = URL.parse(text);
  if (url === null) return NO_URL;
  return RULES.find((rule) => rule.isBroken(url, text, tenancy));
}

/**
 * Whether a request may use a redirect URI. It must equal a registered one exactly. In test tenancy, the port of a
 * registered `http://127.0.0.1` or `http://[::1]` is ignored (RFC 8252 section 7.3).
 */
export function matchesRedirectUri(registered: readonly string[], tenancy: Tenancy, requested: string): boolean {
  if (registered.includes(requested)) return true;
  if (tenancy !== "test" || requested.length > MAX_CHARACTERS) return false;
  const portless = withoutPort(requested);
  return portless !== undefined && registered.some((uri) => withoutPort(uri) === portless);
}

/** A loopback URI without its port; undefined for any other URI. */
function withoutPort(uri: string): string | undefined {
  const [, address = "", port = "80", rest = ""] = LOOPBACK_URI.exec(uri) ?? [];
  return address === "" || Number(port) > MAX_PORT ? undefined : `${address}${rest}`;
}

/**
 * Returns the web origins of an application's redirect URIs, in their order. An installed application, which listens at a port that it
 * chooses at its start, has none to go back to.
 */
export function webOrigins(redirectUris: readonly string[]): readonly string[] {
  const origins = redirectUris.filter((uri) => withoutPort(uri) === undefined).map((uri) => new URL(uri).origin);
  return [...new Set(origins)];
}

/**
 * The key of a web origin in the store: the origin itself, or without its port for a loopback address. Pages of a registered
 * origin may request tokens.
 */
export function originKey(origin: string): string {
  return withoutPort(origin) ?? origin;
}
