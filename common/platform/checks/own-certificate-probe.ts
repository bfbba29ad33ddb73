import { X509Certificate } from "node:crypto";
import type { RpcTls } from "../rpc/identity/rpc-tls.ts";
import { certificateFinding } from "./certificate-end.ts";
import { ok } from "./finding.ts";
import type { Probe } from "./run-probes.ts";

/** A check of the certificate of this process's RPC port. @param read returns undefined for a port without TLS, and throws ConfigError */
export function ownCertificateProbe(read: () => RpcTls | undefined): Probe {
  return {
    subject: "own certificate",
    async run({ nowMs }) {
      const pair = read()?.read();
      if (pair === undefined) return [ok("isn't used, as RPC_TLS_CERT isn't set")];
      const { validFrom, validTo } = new X509Certificate(pair.cert);
      return [certificateFinding({ fromMs: Date.parse(validFrom), untilMs: Date.parse(validTo) }, nowMs())];
    },
  };
}
