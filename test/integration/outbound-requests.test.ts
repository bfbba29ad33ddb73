import { execFile } from "node:child_process";
import { createServer as createHttpServer, type RequestListener } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from "node:net";
import process from "node:process";
import { promisify } from "node:util";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { OutboundFetcher, type OutboundRequest } from "../../common/platform/outbound/outbound-fetcher.ts";
import type { Resolve } from "../../common/platform/outbound/pinned-address.ts";
import { type IssuedCertificate, issuedCertificate } from "../support/processes/tls-certificate.ts";

let ours: IssuedCertificate;
let others: IssuedCertificate;

beforeAll(async () => {
  [ours, others] = await Promise.all([issuedCertificate("localhost"), issuedCertificate("other.example")]);
});

/** Starts a server at 127.0.0.1 for one test. @returns its port, and the number of its connections so far */
async function listen(server: Server) {
  const open = new Set<Socket>();
  let connections = 0;
  server.on("connection", (socket: Socket) => {
    connections += 1;
    open.add(socket);
    socket.on("error", () => undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    for (const socket of open) socket.destroy();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, connections: () => connections };
}

const https = (listener: RequestListener, certificate = ours) => listen(createHttpsServer(certificate, listener));
const http = (listener: RequestListener) => listen(createHttpServer(listener));
/** A server that writes bytes of its own and then, every 10 ms, more. */
const raw = (first: string, more = "") =>
  listen(
    createTcpServer((socket) => {
      socket.write(first);
      if (more === "") return;
      const writing = setInterval(() => socket.write(more), 10);
      socket.on("close", () => clearInterval(writing));
    }),
  );

interface Attempt extends Partial<OutboundRequest> {
  readonly loopback?: boolean;
  readonly resolve?: Resolve;
}

/** Sends a request; the deadline is long unless the test is about it. */
async function send(url: string, { loopback = true, resolve, ...request }: Attempt = {}) {
  const fetcher = new OutboundFetcher({ loopback, ca: ours.authority, ...(resolve && { resolve }) });
  return fetcher.send({ method: "POST", url, maxBytes: 1_000, deadlineMs: 30_000, ...request });
}

const kindOf = (url: string, attempt?: Attempt): Promise<unknown> =>
  send(url, attempt).then(
    ({ status }) => status,
    ({ kind }) => kind,
  );

/** A resolver that gives each answer once, and its number of calls. */
function answering(...answers: readonly (readonly string[])[]) {
  let calls = 0;
  const resolve: Resolve = async () => answers[calls++] ?? [];
  return { resolve, calls: () => calls };
}

describe("an outbound request", () => {
  it("gets status, type and body, and sends body and headers as they are", async () => {
    const { port } = await https((request, response) => {
      let text = "";
      request.on("data", (part) => {
        text += part;
      });
      request.on("end", () => {
        response.writeHead(404, { "content-type": "application/json" });
        response.end(JSON.stringify({ text, url: request.url, headers: request.headers }));
      });
    });
    const answer = await send(`https://localhost:${port}/check?a=b`, { body: "ä", headers: { "x-key": "1" } });
    expect(answer).toMatchObject({ status: 404, contentType: "application/json" });
    expect(JSON.parse(Buffer.from(answer.body).toString())).toEqual({
      text: "ä",
      url: "/check?a=b",
      headers: {
        host: `localhost:${port}`,
        "x-key": "1",
        "content-length": "2",
        "accept-encoding": "identity",
        connection: "close",
      },
    });
  });

  it("goes to the next address where the first takes no connection, as IPv6 without a route doesn't", async () => {
    const { port, connections } = await https((_request, response) => response.end());
    const resolve = async () => ["::1", "127.0.0.2", "127.0.0.1"];
    expect((await send(`https://localhost:${port}/`, { resolve })).status).toBe(200);
    expect(connections()).toBe(1);
  });

  it("isn't sent again to another address once it was sent", async () => {
    const { port, connections } = await listen(createTcpServer((socket) => void socket.end()));
    const resolve = async () => ["127.0.0.1", "127.0.0.1"];
    await expect(send(`http://localhost:${port}/`, { resolve })).rejects.toMatchObject({ kind: "unreachable" });
    expect(connections()).toBe(1);
  });

  it("ends with the caller's signal", async () => {
    const { port } = await raw("");
    const fetcher = new OutboundFetcher({ loopback: true });
    const request = { method: "GET", url: `http://127.0.0.1:${port}/`, maxBytes: 1, deadlineMs: 30_000 } as const;
    await expect(fetcher.send(request, AbortSignal.abort(new Error("gone")))).rejects.toThrow("gone");
  });
});

describe("attacks on outbound requests", () => {
  it.each([
    ["a private address", "https://10.0.0.1/"],
    ["a metadata service", "https://169.254.169.254/latest/meta-data"],
    ["an IPv4-mapped address", "https://[::ffff:10.0.0.1]/"],
    ["a NAT64 address", "https://[64:ff9b::10.0.0.1]/"],
    ["this machine", "https://127.0.0.1/"],
    ["an address as one number", "https://2130706433/"],
    ["no TLS", "http://screening.example/"],
    ["another protocol", "file:///etc/passwd"],
  ])("%s is not asked", async (_, url) => {
    expect(await kindOf(url, { loopback: false, resolve: async () => ["8.8.8.8"] })).toBe("blocked");
  });

  it.each([
    ["a private address", ["10.0.0.1"]],
    ["an IPv4-mapped address", ["::ffff:127.0.0.1"]],
    ["a NAT64 address", ["64:ff9b::7f00:1"]],
    ["a link-local address", ["fe80::1%eth0"]],
    ["a unique local address", ["fd00::1"]],
    ["this machine", ["127.0.0.1"]],
    ["a public and a private address", ["8.8.8.8", "192.168.0.1"]],
    ["something that is no address", ["localhost"]],
  ])("a name that leads to %s is not asked", async (_, addresses) => {
    const { port, connections } = await https((_request, response) => response.end());
    const url = `https://screening.example:${port}/`;
    expect(await kindOf(url, { loopback: true, resolve: async () => addresses })).toBe("blocked");
    expect(connections()).toBe(0);
  });

  it("DNS rebinding: the connection goes to the address that was checked, and the name isn't resolved again", async () => {
    const { port, connections } = await https((_request, response) => response.end());
    const good = answering(["127.0.0.1"], ["10.0.0.1"]);
    expect(await kindOf(`https://localhost:${port}/`, { resolve: good.resolve })).toBe(200);
    expect([good.calls(), connections()]).toEqual([1, 1]);
    const bad = answering(["10.0.0.1"], ["127.0.0.1"]);
    expect(await kindOf(`https://localhost:${port}/`, { resolve: bad.resolve })).toBe("blocked");
    expect([bad.calls(), connections()]).toEqual([1, 1]);
  });

  it("a name without an address, or that can't be resolved", async () => {
    expect(await kindOf("https://screening.example/", { resolve: async () => [] })).toBe("unreachable");
    const failing = () => Promise.reject(new Error("NXDOMAIN"));
    expect(await kindOf("https://screening.example/", { resolve: failing })).toBe("unreachable");
  });

  it("a resolver that never answers", async () => {
    const resolve = () => new Promise<never>(() => undefined);
    expect(await kindOf("https://screening.example/", { resolve, deadlineMs: 50 })).toBe("timeout");
  });

  it("redirects aren't followed", async () => {
    const inner = await http((_request, response) => response.end("secret"));
    for (const status of [301, 302, 303, 307, 308]) {
      const { port } = await https((_request, response) => {
        response.writeHead(status, { location: `http://127.0.0.1:${inner.port}/` }).end();
      });
      expect(await kindOf(`https://localhost:${port}/`)).toBe("malformed");
    }
    expect(inner.connections()).toBe(0);
  });

  it("a certificate of another name, and one that nobody trusts", async () => {
    const { port } = await https((_request, response) => response.end(), others);
    const fetcher = new OutboundFetcher({ loopback: true, ca: others.authority });
    const request = { method: "GET", url: `https://localhost:${port}/`, maxBytes: 1, deadlineMs: 30_000 } as const;
    await expect(fetcher.send(request)).rejects.toMatchObject({
      kind: "unreachable",
      cause: { code: "ERR_TLS_CERT_ALTNAME_INVALID" },
    });
    expect(await kindOf(`https://localhost:${port}/`)).toBe("unreachable");
  });

  it("an endless body, and one that says that it is too long", async () => {
    const endless = await raw("HTTP/1.1 200 OK\r\n\r\n", "a".repeat(100));
    expect(await kindOf(`http://localhost:${endless.port}/`)).toBe("too_large");
    const long = await http((_request, response) => response.end("a".repeat(1_001)));
    expect(await kindOf(`http://localhost:${long.port}/`)).toBe("too_large");
  });

  it("a body that is compressed unasked", async () => {
    const { port } = await http((_request, response) => response.writeHead(200, { "content-encoding": "gzip" }).end());
    expect(await kindOf(`http://localhost:${port}/`)).toBe("malformed");
  });

  it.each([
    ["slow headers", "HTTP/1.1 200 OK\r\n", "a: b\r\n"],
    ["a slow body", "HTTP/1.1 200 OK\r\ncontent-length: 900\r\n\r\n", "a"],
    ["no answer at all", "", ""],
    ["a first line that never ends", "HTTP/1.1 200 ", "a"],
  ])("%s", async (_, first, more) => {
    const { port } = await raw(first, more);
    expect(await kindOf(`http://localhost:${port}/`, { deadlineMs: 400 })).toBe("timeout");
  });

  it("oversized headers", async () => {
    const one = await raw(`HTTP/1.1 200 OK\r\na: ${"b".repeat(17_000)}\r\n\r\n`);
    expect(await kindOf(`http://localhost:${one.port}/`)).toBe("too_large");
    const many = await raw(`HTTP/1.1 200 OK\r\n${"abcdef: g\r\n".repeat(3_000)}\r\n`);
    expect(await kindOf(`http://localhost:${many.port}/`)).toBe("too_large");
  });

  it.each([
    ["another protocol", "SSH-2.0-OpenSSH\r\n\r\n", "malformed"],
    [
      "a switch of protocols",
      "HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n",
      "malformed",
    ],
    [
      "lengths that contradict each other",
      "HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\na",
      "malformed",
    ],
  ])("%s", async (_, answer, kind) => {
    const { port } = await raw(answer);
    expect(await kindOf(`http://localhost:${port}/`)).toBe(kind);
  });

  it("a body that is cut off", async () => {
    const { port } = await listen(
      createTcpServer((socket) => void socket.end("HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nabc")),
    );
    expect(await kindOf(`http://localhost:${port}/`)).toBe("unreachable");
  });

  it("a proxy that the environment names isn't used", async () => {
    const { port } = await http((_request, response) => response.end());
    const fetcher = new URL("../../common/platform/outbound/outbound-fetcher.ts", import.meta.url);
    const request = { method: "GET", url: `http://127.0.0.1:${port}/`, maxBytes: 10, deadlineMs: 30_000 };
    const code = `import { OutboundFetcher } from ${JSON.stringify(fetcher)};
      const { status } = await new OutboundFetcher({ loopback: true }).send(${JSON.stringify(request)});
      console.log(status);`;
    const isDeno = process.versions["deno"] !== undefined;
    const args = isDeno ? ["eval", code] : ["--input-type=module", "--eval", code];
    const proxy = "http://127.0.0.1:1";
    const env = { ...process.env, NODE_USE_ENV_PROXY: "1", HTTP_PROXY: proxy, HTTPS_PROXY: proxy, NO_PROXY: "" };
    const { stdout } = await promisify(execFile)(process.execPath, args, { env });
    expect(stdout.trim()).toBe("200");
  });

  it("says nothing of the URL but its host", async () => {
    const { port } = await raw("SSH-2.0-OpenSSH\r\n\r\n");
    await expect(send(`http://localhost:${port}/secret?key=secret`)).rejects.toThrow(
      /^localhost:\d+ doesn't answer by HTTP$/,
    );
  });

  it("a slow host doesn't keep others waiting", async () => {
    const slow = await raw("");
    const quick = await http((_request, response) => response.end());
    const fetcher = new OutboundFetcher({ loopback: true });
    const bounds = { method: "GET", maxBytes: 10, deadlineMs: 30_000 } as const;
    const leaving = new AbortController();
    const url = `http://127.0.0.1:${slow.port}/`;
    const waiting = Array.from({ length: 300 }, () => fetcher.send({ ...bounds, url }, leaving.signal));
    const settled = Promise.allSettled(waiting);
    expect((await fetcher.send({ ...bounds, url: `http://127.0.0.1:${quick.port}/` })).status).toBe(200);
    expect(slow.connections()).toBeLessThanOrEqual(32);
    leaving.abort(new Error("over"));
    for (const { status } of await settled) expect(status).toBe("rejected");
  });
});
