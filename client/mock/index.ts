/**
 * A local server that answers every public call of Tidemark, in every state on demand, without a chain or a database.
 *
 * @module
 */
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { MockDocument } from "./document.ts";
import { MockServer } from "./mock-server.ts";
import { SaleFigures } from "./sale-figures.ts";
import { StateFields } from "./states.ts";
import { TokenStore } from "./tokens.ts";

/** Settings of a mock. */
export interface MockOptions {
  /** 127.0.0.1 by default. */
  readonly host?: string;
  /** A free port by default. */
  readonly port?: number;
  /** First segment of the calls' paths; `svc` by default. */
  readonly prefix?: string;
  /** States that are chosen at the start, such as `{ EntitySetupState: "in-review" }`. */
  readonly states?: Readonly<Record<string, string>>;
  /** Time between two commitments, in milliseconds; 1,000 by default. */
  readonly tickMs?: number;
  /** Text of the OpenAPI document; that of this package by default. */
  readonly document?: string;
  /** Script of the element `<tidemark-sale>`; that of this package by default. */
  readonly element?: string;
  /** Second part of that script; that of this package by default. */
  readonly elementExtras?: string;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

/** A mock that listens. */
export interface RunningMock {
  /** Its origin. */
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Starts a mock.
 *
 * @throws MockError `invalid_argument`, which names a state that there isn't and the possible ones; the error of the port
 */
export async function startMock(options: MockOptions = {}): Promise<RunningMock> {
  const { host = "127.0.0.1", port = 0, prefix = "svc", tickMs = 1_000, now = Date.now } = options;
  const document = new MockDocument(options.document ?? (await packaged("openapi.json")), prefix);
  const first = options.element ?? (await packaged("tidemark-sale.js"));
  const extras = options.elementExtras ?? (await packaged("tidemark-sale-extras.js"));
  const element = { prefix, first, extras };
  const fields = new StateFields(document);
  const start = fields.read(Object.entries(options.states ?? {}));
  const tokens = await TokenStore.create(now);
  const services = { document, element, now, figures: new SaleFigures(document, now), tokens };
  const mock = new MockServer(services, fields, start);
  const server = createServer((request, response) => void mock.handle(request, response));
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject).listen(port, host, resolve);
  });
  const timers = [setInterval(() => mock.tick(), tickMs), setInterval(() => mock.heartbeat(), 10 * tickMs)];
  return {
    url: `http://${host.includes(":") ? `[${host}]` : host}:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        timers.map(clearInterval);
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Returns a file that is beside this one in the package. */
function packaged(name: string): Promise<string> {
  return readFile(new URL(name, import.meta.url), "utf8");
}
