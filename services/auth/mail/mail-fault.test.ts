import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { expect, it } from "vitest";
import { type MailFailure, mailFault } from "./mail-fault.ts";

/** Codes of what this process doesn't use: OAuth, proxies, other transports, attachments. */
const NOT_USED = [
  "EREQUIRETLS",
  "EOTP",
  "ESTREAM",
  "EOAUTH2",
  "EMAXLIMIT",
  "EMAXRECIPIENTS",
  "ESENDMAIL",
  "ESES",
  "ECONFIG",
  "EPROXY",
  "EFILEACCESS",
  "EURLACCESS",
  "EFETCH",
];

it("has words for every code that the library has, with the setting to look at", async () => {
  const errors = new URL("errors.js", pathToFileURL(createRequire(import.meta.url).resolve("nodemailer"))).href;
  const { ERROR_CODES } = (await import(errors)) as { readonly ERROR_CODES: Readonly<Record<string, string>> };
  const codes = Object.keys(ERROR_CODES);
  expect(codes).toEqual(expect.arrayContaining(["EAUTH", "ESOCKET", ...NOT_USED]));
  const unknown = mailFault({ code: "EOTHER" });
  for (const code of codes) {
    const words = mailFault({ code });
    expect(words, code).not.toBe(unknown);
    expect(words, code).toMatch(NOT_USED.includes(code) ? /doesn't use/ : /SMTP_URL|MAIL_FROM/);
  }
});

it.each<[MailFailure, RegExp]>([
  [{ code: "ETLS", command: "STARTTLS", responseCode: 502 }, /takes no STARTTLS, without which the password/],
  [{ code: "ECONNECTION", command: "EHLO", responseCode: 502 }, /takes no STARTTLS/],
  [{ code: "ECONNECTION", command: "EHLO", responseCode: 421 }, /ended the connection/],
  [{ code: "ETLS", command: "CONN" }, /TLS .* couldn't be set up/],
  [{ code: "ECONNECTION", command: "CONN" }, /ended the connection/],
  [{ code: "ESOCKET", originalCode: "ECONNREFUSED" }, /nothing listens/],
  [{ code: "ECONNREFUSED" }, /nothing listens/],
  [{ code: "ESOCKET", originalCode: "ECONNRESET" }, /ended the connection/],
  [{ code: "ESOCKET", originalCode: "EHOSTUNREACH" }, /no network leads/],
  [{ code: "ESOCKET", originalCode: "ERR_SSL_WRONG_VERSION_NUMBER" }, /doesn't begin with TLS/],
  [{ code: "ESOCKET", originalCode: "DEPTH_ZERO_SELF_SIGNED_CERT" }, /signed by none of the authorities/],
  [{ code: "ESOCKET", originalCode: "UNABLE_TO_VERIFY_LEAF_SIGNATURE" }, /signed by none of the authorities/],
  [{ code: "ESOCKET", originalCode: "CERT_HAS_EXPIRED" }, /has expired/],
  [{ code: "ESOCKET", originalCode: "CERT_NOT_YET_VALID" }, /clock/],
  [{ code: "ESOCKET", originalCode: "ERR_TLS_CERT_ALTNAME_INVALID" }, /isn't for the host/],
  [{ code: "ESOCKET" }, /the connection .* failed/],
  [{ code: "EDNS", originalCode: "ENOTFOUND" }, /no address/],
  [{ code: "ETIMEDOUT", timeoutType: "CONNECT_TIMEOUT" }, /network policy/],
  [{ code: "ETIMEDOUT", timeoutType: "GREETING_TIMEOUT" }, /needs smtps:/],
  [{ code: "ETIMEDOUT", timeoutType: "SOCKET_TIMEOUT" }, /didn't answer in time/],
  [{ code: "EAUTH", responseCode: 535 }, /refuses user and password/],
  [{ code: "EAUTH" }, /no way to log in/],
  [{ code: "EENVELOPE", command: "MAIL FROM" }, /refuses the sender: check MAIL_FROM/],
  [{ code: "EENVELOPE", command: "RCPT TO" }, /refuses the recipient/],
  [{ code: "EENVELOPE", command: "DATA" }, /sender or recipient/],
  [{ code: "EPROTOCOL" }, /doesn't speak SMTP/],
  [{ code: "EPROTOCOL", responseCode: 554 }, /refuses this client/],
  [{ code: "EMESSAGE", responseCode: 552 }, /refuses the mail's content/],
  [{ code: "EABORT" }, /in time/],
  [{}, /could not be sent/],
  [{ code: "constructor" }, /could not be sent/],
])("says why: %j", (failure, words) => {
  expect(mailFault(failure)).toMatch(words);
});
