import { readFileSync } from "node:fs";
import process from "node:process";
import {
  create,
  createFileRegistry,
  type DescMessage,
  type FileRegistry,
  fromBinary,
  toBinary,
} from "@bufbuild/protobuf";
import { FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";
import type { ConnectRouter } from "@connectrpc/connect";
import { compressionGzip } from "@connectrpc/connect-node";
import { createLogger } from "../../common/platform/log/log.ts";
import { endWithCall } from "../../common/platform/rpc/server/call-end.ts";
import { type HttpListener, openHttpListener } from "../../common/platform/rpc/server/http-listener.ts";
import { createNodeHandler } from "../../common/platform/rpc/server/node-handler.ts";
import { startRpcServer } from "../../common/platform/rpc/server/server.ts";
import type { ServerRequest } from "./conformance-messages.ts";
import { addConformanceService, DEFAULT_TIMEOUT_MS } from "./conformance-service.ts";
import { readSizeDelimited, writeSizeDelimited } from "./size-delimited.ts";

/**
 * A server under test of Connect's conformance suite: `conformance-server.ts <descriptors of its protos> <stack>`. The suite
 * writes one request on standard input for each server that it wants, and ends it by a signal.
 *
 * - `service`: the server of our services, with everything around its handlers.
 * - `transport`: its listener and handler alone, without our mapping of errors.
 */
const [descriptorFile = "", stack] = process.argv.slice(2);
const registry = createFileRegistry(fromBinary(FileDescriptorSetSchema, readFileSync(descriptorFile)));
const request = readRequest();
const logger = createLogger({ service: "conformance", level: "fatal" });
const listener = await openHttpListener({ host: "127.0.0.1", port: 0, logger, tls: certificate(request) });
(stack === "service" ? serveAsService : serveTransport)(listener, request);
answer();

function readRequest(): ServerRequest {
  const message: unknown = fromBinary(descriptor("ServerCompatRequest"), readSizeDelimited(process.stdin.fd));
  return message as ServerRequest;
}

function answer(): void {
  const desc = descriptor("ServerCompatResponse");
  const pemCert = request.serverCreds?.cert ?? new Uint8Array();
  const response = create(desc, { host: "127.0.0.1", port: listener.port, pemCert });
  writeSizeDelimited(process.stdout.fd, toBinary(desc, response));
}

function routes(router: ConnectRouter): void {
  addConformanceService(router, registry);
}

function serveAsService(http: HttpListener, { messageReceiveLimit }: ServerRequest): void {
  const limit = messageReceiveLimit > 0 ? { maxRequestBytes: messageReceiveLimit } : {};
  const timeouts = { defaultTimeoutMs: DEFAULT_TIMEOUT_MS, maxTimeoutMs: DEFAULT_TIMEOUT_MS };
  startRpcServer({ listener: http, routes, gate: async () => {}, logger, ...timeouts, ...limit });
}

function serveTransport(http: HttpListener, { messageReceiveLimit }: ServerRequest): void {
  const limit = messageReceiveLimit > 0 ? { readMaxBytes: messageReceiveLimit } : {};
  const router = { acceptCompression: [compressionGzip], interceptors: [endWithCall], ...limit };
  const deadline = { defaultMs: DEFAULT_TIMEOUT_MS, maxMs: DEFAULT_TIMEOUT_MS };
  http.serve(createNodeHandler({ routes, router, unaryDeadline: deadline, streamDeadline: deadline, logger }));
}

function certificate({ serverCreds }: ServerRequest) {
  if (serverCreds === undefined) return undefined;
  const [cert, key] = [serverCreds.cert, serverCreds.key].map((bytes) => Buffer.from(bytes).toString());
  return { read: () => ({ cert: cert ?? "", key: key ?? "" }) };
}

function descriptor(name: string): DescMessage {
  const found: ReturnType<FileRegistry["getMessage"]> = registry.getMessage(`connectrpc.conformance.v1.${name}`);
  if (found === undefined) throw new Error(`the suite's protos have no ${name}`);
  return found;
}
