import { once } from "node:events";
import type { AddressInfo, Socket } from "node:net";
import { createServer } from "node:tls";
import type { TlsCertificate } from "./tls-certificate.ts";

/** A TLS server at 127.0.0.1 that ends each connection after what the client says first. */
export interface TlsListener {
  readonly port: number;
  /** Text that clients have sent after the handshake; empty if they accepted no connection. */
  received(): string;
  close(): Promise<void>;
}

/** @param greeting what the server says first, as SMTP servers do */
export async function startTlsListener(certificate: TlsCertificate, greeting: string): Promise<TlsListener> {
  const open = new Set<Socket>();
  let received = "";
  const server = createServer(certificate, (client) => {
    client.on("error", () => undefined);
    client.on("data", (data) => {
      received += data.toString("latin1");
      client.destroy();
    });
    client.write(greeting);
  });
  server.on("connection", (client: Socket) => {
    open.add(client);
    client.on("close", () => open.delete(client));
  });
  // A client that refuses the certificate.
  server.on("tlsClientError", () => undefined);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    received: () => received,
    close: async () => {
      server.close();
      for (const client of open) client.destroy();
      await once(server, "close");
    },
  };
}
