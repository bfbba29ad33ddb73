import { EventEmitter } from "node:events";
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { describe, expect, it } from "vitest";
import { ConnectionLimits } from "./connection-limits.ts";
import type { PublicError } from "./public-error.ts";
import { TrustedProxies } from "./trusted-proxies.ts";

const PROXY = "10.0.0.1";

class FakeSocket extends EventEmitter {
  readonly remoteAddress: string;
  destroyed = false;
  constructor(remoteAddress: string) {
    super();
    this.remoteAddress = remoteAddress;
  }
  destroy(): void {
    this.destroyed = true;
    this.emit("close");
  }
}

function start(proxies = "10.0.0.0/8") {
  const counters = { refusedConnections: 0 };
  const trustedProxies = TrustedProxies.parse(proxies) as TrustedProxies;
  const limits = new ConnectionLimits({ maxPerAddress: 2, trustedProxies, counters });
  const connect = (address: string) => {
    const socket = new FakeSocket(address);
    limits.accept(socket as unknown as Socket);
    return socket;
  };
  /** Sends a request that `handler` answers, or not yet. @returns its response, or the status of its refusal */
  const send = (socket: FakeSocket, address: string, writableEnded = false) => {
    const request = { socket, headers: { "x-forwarded-for": address } } as unknown as IncomingMessage;
    const response = Object.assign(new EventEmitter(), { writableEnded });
    const result: { response?: EventEmitter; refusal?: number } = {};
    const handler: RequestListener = () => {
      result.response = response;
    };
    limits.handle(request, response as unknown as ServerResponse as never, handler, (_, __, error: PublicError) => {
      result.refusal = error.status;
    });
    return result;
  };
  return { counters, connect, send };
}

describe("ConnectionLimits", () => {
  it("closes the connections of an address beyond its bound, and counts them, until others have closed", () => {
    const { counters, connect } = start();
    const [first] = [connect("192.0.2.1"), connect("::ffff:192.0.2.1")];
    expect(connect("192.0.2.1").destroyed).toBe(true);
    expect(connect("192.0.2.2").destroyed).toBe(false);
    first?.destroy();
    expect(connect("192.0.2.1").destroyed).toBe(false);
    expect(connect("192.0.2.1").destroyed).toBe(true);
    expect(counters.refusedConnections).toBe(2);
  });

  it("counts a /64 as one, and a /48 as a few", () => {
    const { connect } = start();
    const open = (address: string) => !connect(address).destroyed;
    expect(["2001:db8:1:1::1", "2001:db8:1:1::2", "2001:db8:1:1::3"].map(open)).toEqual([true, true, false]);
    const others = Array.from({ length: 40 }, (_, net) => `2001:db8:1:${net + 2}::1`).map(open);
    expect(others.filter((isOpen) => isOpen)).toHaveLength(30);
    expect(open("2001:db8:2::1")).toBe(true);
  });

  it("counts no connections of trusted proxies, but requests under way by the address that they name", () => {
    const { counters, connect, send } = start();
    const sockets = Array.from({ length: 10 }, () => connect(PROXY));
    expect(sockets.some(({ destroyed }) => destroyed)).toBe(false);
    const [socket = connect(PROXY)] = sockets;
    const { response: first } = send(socket, "192.0.2.1");
    send(socket, "192.0.2.1");
    expect(send(socket, "192.0.2.1")).toEqual({ refusal: 429 });
    expect(send(socket, "192.0.2.2")).toHaveProperty("response");
    first?.emit("close");
    expect(send(socket, "192.0.2.1")).toHaveProperty("response");
    expect(send(socket, "192.0.2.1")).toEqual({ refusal: 429 });
    expect(counters.refusedConnections).toBe(0);
  });

  it("doesn't count a request that is answered at once, nor what a client that is no proxy names", () => {
    const { connect, send } = start();
    const [proxy, client] = [connect(PROXY), connect("192.0.2.1")];
    for (let count = 0; count < 5; count++) {
      expect(send(proxy, "192.0.2.1", true)).toHaveProperty("response");
      expect(send(client, "192.0.2.9")).toHaveProperty("response");
    }
  });

  it("takes each direct peer for a proxy where proxies are trusted by their number", () => {
    const { connect } = start("1");
    expect(Array.from({ length: 5 }, () => connect("192.0.2.1").destroyed)).toEqual(new Array(5).fill(false));
  });
});
