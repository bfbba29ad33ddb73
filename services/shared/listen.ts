import type { AddressInfo, Server } from "node:net";

export interface ListenAddress {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
}

/**
 * Starts to listen and answers the port that was taken.
 *
 * @throws the server's error, such as EADDRINUSE, where it can't
 */
export function listen(server: Server, { host, port }: ListenAddress): Promise<{ readonly port: number }> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen({ host, port }, () => {
      server.off("error", reject);
      const address = server.address() as AddressInfo;
      resolve({ port: address.port });
    });
  });
}
