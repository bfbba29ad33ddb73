import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { BinaryReader, WireType } from "@bufbuild/protobuf/wire";

/** The kinds of spans, in the order of their numbers in OTLP. */
const KINDS = ["unspecified", "internal", "server", "client", "producer", "consumer"] as const;
export type ReceivedKind = (typeof KINDS)[number];

/** A span as it was received; IDs in hex, the parent's empty where there is none. */
export interface ReceivedSpan {
  readonly service: string;
  readonly name: string;
  readonly kind: ReceivedKind;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string;
  readonly attributes: Readonly<Record<string, string | bigint | boolean>>;
  /** Trace IDs of its links. */
  readonly links: readonly string[];
  readonly failed: boolean;
}

/** Takes traces by OTLP: protobuf over HTTP, as in opentelemetry/proto/collector/trace/v1/trace_service.proto. */
export interface OtlpReceiver {
  /** Value for `OTEL_EXPORTER_OTLP_ENDPOINT`. */
  readonly url: string;
  readonly spans: readonly ReceivedSpan[];
  /** The headers of the last export. */
  readonly headers: () => IncomingMessage["headers"];
  stop(): Promise<void>;
}

export async function startOtlpReceiver(): Promise<OtlpReceiver> {
  const spans: ReceivedSpan[] = [];
  let headers: IncomingMessage["headers"] = {};
  const server = createServer(async (request, response) => {
    headers = request.headers;
    const isKnown = request.method === "POST" && request.url === "/v1/traces";
    const body = Buffer.concat(await request.toArray());
    if (isKnown) spans.push(...spansOf(body));
    response.writeHead(isKnown ? 200 : 404, { "content-type": "application/x-protobuf" }).end();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const stop = async () => {
    server.closeAllConnections();
    server.close();
    await once(server, "close");
  };
  return { url: `http://127.0.0.1:${port}`, spans, headers: () => headers, stop };
}

/** The values of a message's fields, by number. */
type Fields = ReadonlyMap<number, readonly (Uint8Array | bigint)[]>;

function fieldsOf(bytes: Uint8Array): Fields {
  const reader = new BinaryReader(bytes);
  const fields = new Map<number, (Uint8Array | bigint)[]>();
  while (reader.pos < reader.len) {
    const [number, type] = reader.tag();
    const value = readValue(reader, type, number);
    if (value !== undefined) fields.set(number, [...(fields.get(number) ?? []), value]);
  }
  return fields;
}

function readValue(reader: BinaryReader, type: WireType, number: number): Uint8Array | bigint | undefined {
  if (type === WireType.LengthDelimited) return reader.bytes();
  if (type === WireType.Varint) return BigInt(reader.uint64());
  reader.skip(type, number);
  return undefined;
}

function messages(fields: Fields, number: number): Fields[] {
  return (fields.get(number) ?? []).filter((value) => typeof value !== "bigint").map(fieldsOf);
}

function bytesAt(fields: Fields, number: number): Buffer {
  const [value] = fields.get(number) ?? [];
  return Buffer.from(value instanceof Uint8Array ? value : []);
}

function spansOf(body: Uint8Array): ReceivedSpan[] {
  return messages(fieldsOf(body), 1).flatMap((resourceSpans) => {
    const [resource = new Map()] = messages(resourceSpans, 1);
    const service = String(attributesOf(resource, 1)["service.name"]);
    return messages(resourceSpans, 2).flatMap((scope) => messages(scope, 2).map((span) => spanOf(service, span)));
  });
}

function spanOf(service: string, span: Fields): ReceivedSpan {
  const [status = new Map()] = messages(span, 15);
  return {
    service,
    traceId: bytesAt(span, 1).toString("hex"),
    spanId: bytesAt(span, 2).toString("hex"),
    parentSpanId: bytesAt(span, 4).toString("hex"),
    name: bytesAt(span, 5).toString(),
    kind: KINDS[Number(span.get(6)?.[0] ?? 0)] ?? "unspecified",
    attributes: attributesOf(span, 9),
    links: messages(span, 13).map((link) => bytesAt(link, 1).toString("hex")),
    failed: status.get(3)?.[0] === 2n,
  };
}

function attributesOf(fields: Fields, number: number): ReceivedSpan["attributes"] {
  return Object.fromEntries(
    messages(fields, number).map((pair) => {
      const [value = new Map()] = messages(pair, 2);
      const [truth] = value.get(2) ?? [];
      const [integer] = value.get(3) ?? [];
      const text = bytesAt(value, 1).toString();
      return [bytesAt(pair, 1).toString(), truth === undefined ? (integer ?? text) : truth === 1n];
    }),
  );
}
