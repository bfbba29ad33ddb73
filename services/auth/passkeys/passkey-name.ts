import { ServiceError } from "../../../common/platform/errors/service-error.ts";
import { parseUserAgent } from "../../../common/platform/http/user-agent.ts";
import { brokenNameRules } from "../../../common/platform/names/name-rules.ts";
import { browserName, type MailBrowser } from "../mail/browser-name.ts";

const MAX_CHARACTERS = 64;

/** Reads the name of a passkey. @throws ServiceError `invalid_argument` naming the broken rules */
export function parsePasskeyName(entered: string): string {
  const name = entered.trim();
  const broken = brokenNameRules(name, { maxCharacters: MAX_CHARACTERS });
  if (broken.length === 0) return name;
  const violations = broken.map((rule) => ({ field: "name", ...rule }));
  throw new ServiceError("invalid_argument", "the name of the passkey is not accepted", { violations });
}

/** The name of a passkey that its owner hasn't named: the browser in which it was added. */
export function defaultPasskeyName({ userAgent, language }: MailBrowser): string {
  const { browser, system } = parseUserAgent(userAgent);
  return browser === undefined && system === undefined ? "Passkey" : browserName(userAgent, language);
}
