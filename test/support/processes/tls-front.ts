import { once } from "node:events";
import { type AddressInfo, connect, type Socket } from "node:net";
import { createServer } from "node:tls";
import type { TlsCertificate } from "./tls-certificate.ts";

/** Proxy that terminates TLS in front of a service, and passes all bytes on unchanged. */
export interface TlsFront {
  readonly port: number;
  /** Sends new connections to this port of 127.0.0.1. */
  leadTo(port: number): void;
  close(): Promise<void>;
}

/** Listens on a free port; connections are refused until it knows where they lead. */
export async function startTlsFront(certificate: TlsCertificate): Promise<TlsFront> {
  const open = new Set<Socket>();
  let target: number | undefined;
  const server = createServer({ ...certificate, ALPNProtocols: ["http/1.1"] }, (client) => {
    if (target === undefined) return void client.destroy();
    const service = connect({ host: "127.0.0.1", port: target });
    client.pipe(service).pipe(client);
    closeTogether(client, service, open);
  });
  // A browser that gives up during the handshake.
  server.on("tlsClientError", () => undefined);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    leadTo: (port) => {
      target = port;
    },
    close: async () => {
      server.close();
      for (const socket of open) socket.destroy();
      await once(server, "close");
    },
  };
}

/** Either side may end when it likes, or fail: the other one then ends too. */
function closeTogether(client: Socket, service: Socket, open: Set<Socket>): void {
  for (const [socket, other] of [
    [client, service],
    [service, client],
  ] as const) {
    open.add(socket);
    socket.on("error", () => undefined);
    socket.once("close", () => {
      open.delete(socket);
      other.destroy();
    });
  }
}
