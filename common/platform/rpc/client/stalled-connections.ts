import type { Agent } from "node:http";
import { Code, ConnectError, type Interceptor } from "@connectrpc/connect";

const DEFAULT_PORTS: Readonly<Record<string, string>> = { "http:": "80", "https:": "443" };

/**
 * Closes the idle connections to a process that has missed the deadline of a call. If its machine is gone, or nothing is let through any
 * more, no end of a connection ever comes, and each kept one would cost another call its deadline. Where it is only slow, the next calls
 * open connections again.
 *
 * @param agent the agent that keeps the connections
 */
export function stalledConnectionInterceptor(agent: Pick<Agent, "freeSockets">): Interceptor {
  return (next) => async (request) => {
    try {
      return await next(request);
    } catch (error) {
      if (!request.stream && hasTimedOut(request.signal)) closeIdle(agent, new URL(request.url));
      throw error;
    }
  };
}

/** Whether a deadline of this side has passed, that of the call or of its signal (`AbortSignal.timeout`): a service that answers so is there. */
function hasTimedOut({ aborted, reason }: AbortSignal): boolean {
  if (!aborted) return false;
  return reason instanceof ConnectError ? reason.code === Code.DeadlineExceeded : reason?.name === "TimeoutError";
}

function closeIdle({ freeSockets }: Pick<Agent, "freeSockets">, { protocol, hostname, port }: URL): void {
  // The beginning of the names that `Agent.getName` gives; an IPv6 address has no brackets there.
  const name = `${hostname.replace(/^\[(.*)\]$/, "$1")}:${port === "" ? DEFAULT_PORTS[protocol] : port}:`;
  const idle = Object.entries(freeSockets).filter(([key]) => key.startsWith(name));
  for (const socket of idle.flatMap(([, sockets = []]) => sockets)) socket.destroy();
}
