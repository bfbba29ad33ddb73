import { domainToASCII } from "node:url";
import { invalidArgument } from "../errors/service-error.ts";
import { withoutOuterBlanks } from "./hidden-characters.ts";

/** The limits of RFC 5321 sections 4.5.3.1.1 and 4.5.3.1.3, without the angle brackets of a path. */
const MAX_LOCAL_CHARACTERS = 64;
const MAX_CHARACTERS = 254;
const MAX_LABEL_CHARACTERS = 63;
/** A `dot-atom-text` of RFC 5322 section 3.2.3: no quotes, spaces, controls, commas or angle brackets. */
const DOT_ATOM = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/;
/** A label of a host name (RFC 1123 section 2.1). */
const LABEL = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/;
/**
 * A domain with letters of other scripts. Of ASCII only what a domain may have: the conversion is that of a URL's host, which would
 * end it at a slash and decode a percent sign.
 */
const UNICODE_DOMAIN = /^(?:[A-Za-z0-9.-]|\P{ASCII}){1,254}$/u;

/**
 * Checks an e-mail address, strictly enough for mail headers and SMTP, and returns its one spelling: without blanks around it, ASCII
 * letters in lower case, a domain of other scripts in ASCII (UTS 46), as some browsers send it. Other characters are refused.
 *
 * @param field the field of the request that the error names.
 * @throws ServiceError `invalid_argument` naming the rule: `email.ascii`, `email.length`, `email.form`, `email.domain`.
 */
export function parseEmailAddress(text: string, field = "email"): string {
  const address = oneSpelling(text);
  const broken = brokenRule(address);
  if (broken !== undefined) throw invalidArgument([{ field, ...broken }]);
  return address;
}

/** `parseEmailAddress`, but returns undefined for what it refuses. */
export function readEmailAddress(text: string): string | undefined {
  const address = oneSpelling(text);
  return brokenRule(address) === undefined ? address : undefined;
}

function oneSpelling(text: string): string {
  return withAsciiDomain(withoutOuterBlanks(text).replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase()));
}

/** Converts the domain of an address, and nothing else, from Unicode to ASCII; returns other text as it is. */
export function withAsciiDomain(address: string): string {
  const at = address.indexOf("@") + 1;
  const domain = address.slice(at);
  if (at === 0 || !/\P{ASCII}/u.test(domain) || !UNICODE_DOMAIN.test(domain)) return address;
  return address.slice(0, at) + domainToASCII(domain);
}

function brokenRule(address: string): { readonly rule: string; readonly message: string } | undefined {
  const [local = "", domain, ...more] = address.split("@");
  if (!/^[!-~]*$/.test(local)) {
    const message = "only ASCII letters, digits and symbols are allowed before the @, without spaces";
    return { rule: "email.ascii", message };
  }
  if (address.length > MAX_CHARACTERS || local.length > MAX_LOCAL_CHARACTERS) {
    const message = `at most ${MAX_CHARACTERS} characters, ${MAX_LOCAL_CHARACTERS} of them before the @`;
    return { rule: "email.length", message };
  }
  if (domain === undefined || more.length > 0 || !DOT_ATOM.test(local)) {
    return { rule: "email.form", message: "expected an address such as name@example.com" };
  }
  if (!isDomain(domain)) return { rule: "email.domain", message: "expected a domain such as example.com after the @" };
  return undefined;
}

/** Whether a domain has at least two labels and is no IP address. */
function isDomain(domain: string): boolean {
  const labels = domain.split(".");
  const areLabels = labels.every((label) => label.length <= MAX_LABEL_CHARACTERS && LABEL.test(label));
  return areLabels && labels.length > 1 && !/^\d+$/.test(labels.at(-1) ?? "");
}
