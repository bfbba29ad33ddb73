import { loadKeys } from "../../jwt/jwks-cache.ts";
import { JwksError, type JwksFailure } from "../../jwt/jwks-error.ts";
import { type CallerIssuer, ISSUER_ALGORITHMS } from "../../rpc/identity/issuer-token-authenticator.ts";
import { failureWords } from "../failure-words.ts";
import { failed, ok, type ProbeFinding } from "../finding.ts";
import type { Probe } from "../run-probes.ts";
import { serverCertificateFindings } from "../server-certificate.ts";

const REMEDIES: Readonly<Record<JwksFailure, string>> = {
  unreachable: "look at CALLER_TOKEN_JWKS_URL and CALLER_TOKEN_CA, and whether this process may reach the server",
  refused: "look at CALLER_TOKEN_JWKS_URL, and whether CALLER_TOKEN_JWKS_BEARER may read the keys",
  malformed: "look whether a JSON Web Key Set is there",
};

/**
 * A check of the keys by which the tokens of callers are verified: the process isn't ready without them.
 *
 * @param read returns undefined without `CALLER_TOKEN_ISSUER`, and throws ConfigError
 */
export function issuerKeysProbe(read: () => CallerIssuer | undefined): Probe {
  return {
    subject: "issuer's keys",
    async run({ signal, nowMs }) {
      const issuer = read();
      if (issuer === undefined) return [ok("aren't used, as CALLER_TOKEN_ISSUER isn't set")];
      const found = await keysFinding(issuer);
      const { keysServer } = issuer;
      if (keysServer === undefined || found.level === "failed") return [found];
      return [found, ...(await serverCertificateFindings(keysServer.url, keysServer.ca, signal, nowMs))];
    },
  };
}

async function keysFinding({ jwks }: CallerIssuer): Promise<ProbeFinding> {
  try {
    const { size } = await loadKeys(jwks, ISSUER_ALGORITHMS);
    if (size > 0) return ok(`${size} of them can be used`);
    return failed(`there is none for ${ISSUER_ALGORITHMS.join(" or ")} with an ID`, REMEDIES.malformed);
  } catch (error) {
    if (!(error instanceof JwksError)) throw error;
    return failed(failureWords(error), REMEDIES[error.reason]);
  }
}
