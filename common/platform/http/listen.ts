import type { AddressInfo, Server } from "node:net";
import { ConfigError } from "../config/config-error.ts";

export interface ListenAddress {
  readonly host: string;
  /** 0 means any free port. */
  readonly port: number;
  /** The environment variable of the port, if it comes from one. The host then comes from `HOST`. */
  readonly variable?: string;
}

/**
 * Starts to listen and returns the port.
 *
 * @throws ConfigError if the port is in use or not allowed, or the host is no address of this machine; without
 *   `variable`, the server's own error
 */
export function listen(server: Server, address: ListenAddress): Promise<{ readonly port: number }> {
  const { host, port } = address;
  return new Promise((resolve, reject) => {
    const onError = (error: Error) => reject(explain(error, address));
    server.once("error", onError);
    server.listen({ host, port }, () => {
      server.off("error", onError);
      const { port } = server.address() as AddressInfo;
      resolve({ port });
    });
  });
}

function explain(error: Error, { host, port, variable }: ListenAddress): Error {
  if (variable === undefined) return error;
  switch ("code" in error ? error.code : undefined) {
    case "EADDRINUSE":
      return new ConfigError(variable, `expected a free port, ${host}:${port} is in use (EADDRINUSE)`);
    case "EACCES":
      return new ConfigError(variable, `expected a port that this process may use, ${host}:${port} is not (EACCES)`);
    // Deno reports EADDRNOTAVAIL as EINVAL. The last two come from the look-up of a name.
    case "EADDRNOTAVAIL":
    case "EINVAL":
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return new ConfigError("HOST", `expected an address of this machine, got ${JSON.stringify(host)}`);
    default:
      return error;
  }
}
