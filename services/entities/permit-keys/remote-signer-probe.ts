import { CHAIN_FAMILIES } from "../../../common/chains/base/chain-family.ts";
import { permitFormat } from "../../../common/chains/permit-encoding.ts";
import { fetchFailureWords } from "../../../common/platform/checks/failure-words.ts";
import { failed, ok, type ProbeFinding, warning } from "../../../common/platform/checks/finding.ts";
import type { Probe } from "../../../common/platform/checks/run-probes.ts";
import { serverCertificateFindings } from "../../../common/platform/checks/server-certificate.ts";
import type { RemoteSignerConfig } from "../base/config.ts";
import { postToSigner } from "./remote-signer.ts";

const [KIND] = CHAIN_FAMILIES;
/** A signature that no server can give: no key has this ID, and the permit is empty. */
const IMPOSSIBLE = {
  keyUuid: "00000000-0000-0000-0000-000000000000",
  kind: KIND,
  address: `0x${"00".repeat(permitFormat(KIND).walletBytes)}`,
  permit: "0x",
};

/** A check of the server that holds the keys of permits: reach, certificate, and the secret as far as its answer shows. @param read throws ConfigError */
export function remoteSignerProbe(read: () => RemoteSignerConfig | undefined): Probe {
  return {
    subject: "remote signer",
    async run({ signal, nowMs }) {
      const config = read();
      if (config === undefined) return [ok("isn't used, as PERMIT_SIGNER_URL isn't set")];
      const options = { ...config, clock: () => BigInt(nowMs()) };
      const certificate = await serverCertificateFindings(config.url, undefined, signal, nowMs);
      const response = await postToSigner(options, "signatures", IMPOSSIBLE).catch((error: unknown) => {
        throw new Error(fetchFailureWords(error));
      });
      await response.body?.cancel();
      return [...certificate, answerFinding(response.status)];
    },
  };
}

/** Judges the answer to the impossible request: a server refuses it as it likes, but by 401 or 403 only for the secret. */
function answerFinding(status: number): ProbeFinding {
  if (status === 401 || status === 403) {
    return failed(`refuses who asks (HTTP ${status})`, "compare PERMIT_SIGNER_SECRET with that of the server");
  }
  if (status >= 300 && status < 400) {
    return failed(`answers with a redirect (HTTP ${status}), which isn't followed`, "correct PERMIT_SIGNER_URL");
  }
  if (status >= 500) return warning(`answers with HTTP ${status}`, "look at the server's own log");
  return ok("answers");
}
