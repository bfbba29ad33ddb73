import { ConfigError } from "../config/config-error.ts";
import { failedAttemptsText } from "../rpc/client/not-connected.ts";

const EXPIRED = "the server's certificate has expired: renew it";
const EARLY = "the server's certificate isn't valid yet: compare this machine's clock";
const OTHER_HOST = "the server's certificate is for another host than the one in the setting";
const UNTRUSTED = "nobody whom this process trusts has signed the server's certificate: set its authority";

/** Refused certificates, by Node's codes and OpenSSL's messages: some libraries pass on only the one or the other. */
const CERTIFICATES: readonly (readonly [RegExp, string])[] = [
  [/CERT_HAS_EXPIRED|certificate has expired/i, EXPIRED],
  [/CERT_NOT_YET_VALID|certificate is not yet valid/i, EARLY],
  [/CERT_ALTNAME_INVALID|does not match certificate's altnames/i, OTHER_HOST],
  [
    /SELF_SIGNED_CERT|UNABLE_TO_VERIFY|UNABLE_TO_GET_ISSUER|self.signed certificate|unable to (?:verify|get)/i,
    UNTRUSTED,
  ],
];

/** Returns what failed in words, with what to do where that is certain: of an error itself or the first of its causes that says it. */
export function failureWords(error: unknown): string {
  if (!(error instanceof Error)) return "an unknown error";
  if (error instanceof ConfigError) return error.message;
  const certificate = certificateWords(error);
  if (certificate !== undefined) return certificate;
  const attempts = failedAttemptsText(error);
  if (attempts !== undefined) return `the connection couldn't be opened: ${attempts}`;
  return error.message === "" ? error.name : error.message;
}

/** Words of Deno before the reason of a failed request. */
const URL_OF_REQUEST = /^error sending request for url \(.*?\): /;

/**
 * Returns what failed in words, of an error of `fetch`: its cause's. Its own message says only that it failed, or repeats the URL or a
 * header, which may be secret.
 */
export function fetchFailureWords(error: unknown): string {
  if (error instanceof Error && error.cause instanceof Error)
    return failureWords(error.cause).replace(URL_OF_REQUEST, "");
  return error instanceof TypeError ? "the request can't be sent" : failureWords(error);
}

function certificateWords(error: Error): string | undefined {
  const said = `${"code" in error ? error.code : ""} ${error.message}`;
  const words = CERTIFICATES.find(([pattern]) => pattern.test(said))?.[1];
  return words ?? (error.cause instanceof Error ? certificateWords(error.cause) : undefined);
}
