import { once } from "node:events";
import { isIP } from "node:net";
import { connect } from "node:tls";
import { type CertificateTimes, certificateFinding } from "./certificate-end.ts";
import type { ProbeFinding } from "./finding.ts";

/**
 * Returns the end of a server's certificate as a finding; none for a URL without TLS.
 *
 * @param ca certificates (PEM) of the authorities to trust. Those of the runtime by default
 * @throws Error if the connection can't be opened or the certificate isn't accepted
 */
export async function serverCertificateFindings(
  url: string,
  ca: string | undefined,
  signal: AbortSignal,
  nowMs: () => number,
): Promise<readonly ProbeFinding[]> {
  if (!TLS.has(new URL(url).protocol)) return [];
  return [certificateFinding(await serverCertificateTimes(url, ca, signal), nowMs())];
}

const TLS: ReadonlySet<string> = new Set(["https:", "wss:"]);

/** Opens a TLS connection as calls do, and returns when the server's certificate is valid. */
async function serverCertificateTimes(
  url: string,
  ca: string | undefined,
  signal: AbortSignal,
): Promise<CertificateTimes> {
  const { hostname, port } = new URL(url);
  const host = hostname.replace(/^\[|\]$/g, "");
  const name = isIP(host) === 0 ? { servername: host } : {};
  const socket = connect({ host, port: Number(port || 443), ...name, ...(ca !== undefined && { ca }) });
  try {
    await once(socket, "secureConnect", { signal });
    const { valid_from, valid_to } = socket.getPeerCertificate();
    return { fromMs: Date.parse(valid_from), untilMs: Date.parse(valid_to) };
  } finally {
    // What comes after the `await` has no other listener.
    socket.on("error", () => {}).destroy();
  }
}
