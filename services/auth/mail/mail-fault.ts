import type { ErrorCode, NodemailerError } from "nodemailer";

/** Facts of nodemailer about a mail that could not be sent. Its message and the server's reply contain addresses, so they aren't here. */
export type MailFailure = Partial<
  Pick<NodemailerError, "code" | "originalCode" | "responseCode" | "command" | "timeoutType">
>;

/** Reason why a mail could not be sent, for the log, with the setting to look at. */
type Words = string | ((failure: MailFailure) => string);

const NO_STARTTLS =
  "the mail server takes no STARTTLS, without which the password in SMTP_URL isn't sent: use a port that has STARTTLS, or one with TLS " +
  "from the start and smtps:";
const NOT_SMTP = "what answers at host and port of SMTP_URL doesn't speak SMTP as expected";
const NOT_USED = "the mail library was asked for what Tidemark doesn't use";

const BY_CODE: Readonly<Record<ErrorCode, Words>> = {
  ECONNECTION: ({ command, responseCode }) =>
    // An EHLO that is refused: of SMTP from before STARTTLS.
    command === "EHLO" && responseCode !== 421 ? NO_STARTTLS : "the mail server of SMTP_URL ended the connection",
  ETIMEDOUT: ({ timeoutType }) => {
    if (timeoutType === "CONNECT_TIMEOUT")
      return "nothing answers at host and port of SMTP_URL in time: the address may be wrong, or a network policy or firewall keeps it away";
    if (timeoutType === "GREETING_TIMEOUT")
      return "the mail server of SMTP_URL doesn't greet in time: a port with TLS from the start, as 465, needs smtps:";
    return "the mail server of SMTP_URL didn't answer in time";
  },
  ESOCKET: ({ originalCode }) => socketWords(originalCode ?? ""),
  EDNS: "the host of SMTP_URL has no address that this process can find",
  ETLS: ({ command, responseCode }) =>
    command === "STARTTLS" && responseCode !== undefined
      ? NO_STARTTLS
      : "TLS with the mail server of SMTP_URL couldn't be set up",
  EREQUIRETLS: NOT_USED,
  EPROTOCOL: ({ responseCode }) =>
    responseCode === undefined ? NOT_SMTP : "the mail server of SMTP_URL refuses this client",
  EENVELOPE: ({ command }) => {
    if (command === "MAIL FROM")
      return "the mail server refuses the sender: check MAIL_FROM, and what the account of SMTP_URL may send";
    if (command === "RCPT TO") return "the mail server of SMTP_URL refuses the recipient";
    return "the mail server of SMTP_URL refuses sender or recipient";
  },
  EMESSAGE: "the mail server of SMTP_URL refuses the mail's content",
  EOTP: NOT_USED,
  ESTREAM: NOT_USED,
  EABORT: "the mail server of SMTP_URL didn't take the mail in time",
  EAUTH: ({ responseCode }) =>
    responseCode === undefined
      ? "the mail server offers no way to log in that this client knows: check user and password of SMTP_URL"
      : "the mail server refuses user and password of SMTP_URL",
  ENOAUTH: "the mail server wants a user and a password, which SMTP_URL lacks",
  EOAUTH2: NOT_USED,
  EMAXLIMIT: NOT_USED,
  EMAXRECIPIENTS: NOT_USED,
  ESENDMAIL: NOT_USED,
  ESES: NOT_USED,
  ECONFIG: NOT_USED,
  EPROXY: NOT_USED,
  EFILEACCESS: NOT_USED,
  EURLACCESS: NOT_USED,
  EFETCH: NOT_USED,
};

const BY_SOCKET_ERROR: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ECONNREFUSED: "nothing listens at host and port of SMTP_URL",
    ECONNRESET: "the mail server of SMTP_URL ended the connection",
    EPIPE: "the mail server of SMTP_URL ended the connection",
    ETIMEDOUT: "nothing answers at host and port of SMTP_URL in time",
    EHOSTUNREACH: "no network leads to the host of SMTP_URL",
    ENETUNREACH: "no network leads to the host of SMTP_URL",
    CERT_HAS_EXPIRED: "the certificate of the mail server of SMTP_URL has expired",
    CERT_NOT_YET_VALID:
      "the certificate of the mail server of SMTP_URL isn't valid yet: is this machine's clock right?",
    ERR_TLS_CERT_ALTNAME_INVALID: "the certificate of the mail server isn't for the host in SMTP_URL",
  }),
);
/** Codes of OpenSSL for a certificate that no trusted authority vouches for. */
const UNTRUSTED = /SELF_SIGNED_CERT|UNABLE_TO_(?:VERIFY|GET)/;
/** Codes of OpenSSL for an answer that is no TLS at all. */
const NO_TLS = /^ERR_SSL_(?:WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG)$/;

/** Returns why a mail could not be sent, in words. They contain no address, and nothing that the server said. */
export function mailFault(failure: MailFailure): string {
  const { code = "" } = failure;
  const words = isErrorCode(code) ? BY_CODE[code] : BY_SOCKET_ERROR.get(code);
  if (words === undefined) return "the mail could not be sent by the server of SMTP_URL";
  return typeof words === "string" ? words : words(failure);
}

function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(BY_CODE, code);
}

function socketWords(code: string): string {
  const words = BY_SOCKET_ERROR.get(code);
  if (words !== undefined) return words;
  if (UNTRUSTED.test(code))
    return "the certificate of the mail server of SMTP_URL is signed by none of the authorities that this process trusts";
  if (NO_TLS.test(code))
    return "the port of SMTP_URL doesn't begin with TLS as smtps: needs: use smtp: for STARTTLS, or the port for TLS";
  if (/^ERR_SSL_|^CERT_/.test(code)) return "TLS with the mail server of SMTP_URL couldn't be set up";
  return "the connection to the mail server of SMTP_URL failed";
}
