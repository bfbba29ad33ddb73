import { once } from "node:events";
import { isIP } from "node:net";
import { connect } from "node:tls";
import type { CertificateTimes } from "./certificate-end.ts";

/**
 * Opens a TLS connection as calls do, and returns when the server's certificate is valid.
 *
 * @param ca certificates (PEM) of the authorities to trust. Those of the runtime by default
 * @throws Error if the connection can't be opened or the certificate isn't accepted
 */
export async function serverCertificateTimes(
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
