import { request } from "node:http";
import { gunzipSync } from "node:zlib";
import { create } from "@bufbuild/protobuf";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CommitmentDataSchema } from "../../proto/gen/tidemark/commitments/v1/commitment_pb.ts";
import { SaleUpdatedSchema } from "../../proto/gen/tidemark/commitments/v1/sale_updated_pb.ts";
import { type RunningGateway, runGateway } from "../testing/gateway-parts.ts";
import { publicBody } from "./cache/public-body.ts";

const READ = "/svc/v1/public/read-commitment-data";
// Digits alone would be the same in upper case.
const SALE = "abcdefab-cdef-4bcd-8fab-cdefabcdefab";
const SALE_PATH = `/svc/v1/public/sales/${SALE}/commitment-data`;
const BODY = JSON.stringify({ SaleUUID: SALE });
const JSON_TYPE = { "content-type": "application/json" };
const ETAG = 'W/"0000000000000001-1"';
const data = create(CommitmentDataSchema, { totalAmount: "1", commitments: Array.from({ length: 20 }, commitment) });
const EXPECTED = publicBody(data).bytes();

function commitment() {
  return { price: { numerator: "1", denominator: "1" }, extraData: new Uint8Array(100) };
}

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

let gateway: RunningGateway;

beforeAll(async () => {
  gateway = await runGateway();
  gateway.fake.sales.set(SALE, { generation: 1n, revision: 1n, data });
});

afterAll(() => gateway.server.close(AbortSignal.abort()));

/** `fetch` would add headers of its own and uncompress. */
function send(method: string, path: string, headers: Record<string, string> = {}, body?: string | Buffer) {
  return new Promise<Answer>((resolve, reject) => {
    const { port } = gateway.server;
    const sent = request({ host: "127.0.0.1", port, method, path, headers }, async (response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of response) chunks.push(chunk as Buffer);
      resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) });
    });
    sent.on("error", reject);
    sent.end(body);
  });
}

const post = (body: string | Buffer, headers: Record<string, string> = JSON_TYPE) => send("POST", READ, headers, body);
const parse = ({ body }: Answer) => JSON.parse(body.toString());

function expectPublic({ headers }: Answer): void {
  expect(headers).toMatchObject({
    "access-control-allow-origin": "*",
    "x-content-type-options": "nosniff",
  });
}

/** Headers that web pages may see besides the few that they always may. */
const EXPOSED = { "access-control-expose-headers": "ETag, Age, Date, Retry-After, Tidemark-Changed-Block" };

describe("POST read-commitment-data", () => {
  it("answers the body, the first time and from memory", async () => {
    for (let i = 0; i < 2; i++) {
      const answer = await post(BODY);
      expect(answer).toMatchObject({
        status: 200,
        headers: { "content-type": "application/json", "cache-control": "no-cache" },
        body: EXPECTED,
      });
      expectPublic(answer);
    }
    expect(gateway.fake.loads.filter((uuid) => uuid === SALE)).toHaveLength(1);
    expect(gateway.counters.hits).toBeGreaterThan(0);
  });

  it.each([
    ["another layout", `{ "X": 1, "SaleUUID" : "${SALE}" }`],
    ["a charset", BODY, { "content-type": "application/json; charset=UTF-8" }],
    ["a token that it doesn't need", BODY, { ...JSON_TYPE, authorization: "Bearer nonsense" }],
    ["a condition, which is for GET", BODY, { ...JSON_TYPE, "if-none-match": "*" }],
    ["a chunked body", BODY, { ...JSON_TYPE, "transfer-encoding": "chunked" }],
  ])("takes %s", async (_, body, headers = JSON_TYPE) => {
    expect(await post(body, headers)).toMatchObject({ status: 200, body: EXPECTED });
  });

  it("ignores a query", async () => {
    expect(await send("POST", `${READ}?x=1`, JSON_TYPE, BODY)).toMatchObject({ status: 200, body: EXPECTED });
  });

  it("compresses where that is accepted", async () => {
    for (let i = 0; i < 2; i++) {
      const answer = await post(BODY, { ...JSON_TYPE, "accept-encoding": "gzip, br" });
      expect(answer.headers["content-encoding"]).toBe("gzip");
      expect(gunzipSync(answer.body)).toStrictEqual(EXPECTED);
    }
    const plain = await post(BODY, { ...JSON_TYPE, "accept-encoding": "gzip;q=0" });
    expect(plain.headers["content-encoding"]).toBeUndefined();
  });

  it.each([
    ["malformed JSON", "{", JSON_TYPE, 400],
    ["an empty body", "", JSON_TYPE, 400],
    ["invalid UTF-8", Buffer.from([0x22, 0xff, 0x22]), JSON_TYPE, 400],
    ["a list", "[]", JSON_TYPE, 400],
    ["no content type", BODY, {}, 415],
    ["text/plain", BODY, { "content-type": "text/plain" }, 415],
    ["a form", BODY, { "content-type": "application/x-www-form-urlencoded" }, 415],
    ["another charset", BODY, { "content-type": "application/json;charset=utf-16" }, 415],
    ["a compressed body", BODY, { ...JSON_TYPE, "content-encoding": "gzip" }, 415],
    ["a body of declared length that is too large", " ".repeat(16_385), JSON_TYPE, 413],
    ["a chunked body that grows too large", " ".repeat(16_385), { ...JSON_TYPE, "transfer-encoding": "chunked" }, 413],
  ])("refuses %s", async (_, body, headers: Record<string, string>, status) => {
    const answer = await post(body, headers);
    expect(answer.status).toBe(status);
    expect(parse(answer)).toStrictEqual({ code: "invalid_argument", message: expect.any(String), details: {} });
    expectPublic(answer);
  });

  it("says whether the type or its charset is wrong", async () => {
    const messageOf = async (type: string) => (parse(await post(BODY, { "content-type": type })) as Error).message;
    expect(await messageOf("text/plain")).toBe("Content-Type must be application/json.");
    expect(await messageOf("application/json;charset=utf-16")).toBe("The charset of application/json must be utf-8.");
  });

  it("names the field of a bad UUID", async () => {
    const answer = await post('{"SaleUUID":"123"}');
    expect(answer.status).toBe(400);
    expect(parse(answer)).toStrictEqual({
      code: "invalid_argument",
      message: "SaleUUID: must be a UUID",
      details: { violations: [{ field: "SaleUUID", rule: "string.uuid", message: "must be a UUID" }] },
    });
  });

  it("takes a body of just the largest size", async () => {
    expect(await post(BODY.padEnd(16_384))).toMatchObject({ status: 200 });
  });

  it("answers an unknown sale with not_found", async () => {
    const answer = await post('{"SaleUUID":"99999999-9999-4999-8999-999999999999"}');
    expect(answer.status).toBe(404);
    expect(parse(answer)).toStrictEqual({ code: "not_found", message: "There is no such sale.", details: {} });
    expectPublic(answer);
  });
});

describe("GET and HEAD commitment-data", () => {
  it("answers the same body with an entity tag", async () => {
    const answer = await send("GET", SALE_PATH);
    const headers = { ...EXPOSED, etag: ETAG, vary: "Accept-Encoding", "cache-control": "no-cache" };
    expect(answer).toMatchObject({ status: 200, headers, body: EXPECTED });
    expectPublic(answer);
  });

  it("takes the UUID in upper case", async () => {
    const answer = await send("GET", SALE_PATH.replace(SALE, SALE.toUpperCase()));
    expect(answer).toMatchObject({ status: 200, body: EXPECTED });
  });

  it("answers HEAD with the headers of GET alone", async () => {
    const answer = await send("HEAD", SALE_PATH);
    expect(answer).toMatchObject({ status: 200, headers: { etag: ETAG, "content-length": String(EXPECTED.length) } });
    expect(answer.body).toHaveLength(0);
  });

  it.each([ETAG, "*", `"x", ${ETAG}`])("answers 304 to If-None-Match: %s", async (tag) => {
    for (const method of ["GET", "HEAD"]) {
      const answer = await send(method, SALE_PATH, { "if-none-match": tag });
      expect(answer).toMatchObject({ status: 304, headers: { etag: ETAG, "cache-control": "no-cache" } });
      expect(answer.body).toHaveLength(0);
      expectPublic(answer);
    }
  });

  it("answers another entity tag with the body", async () => {
    expect((await send("GET", SALE_PATH, { "if-none-match": 'W/"0000000000000001-2"' })).status).toBe(200);
  });

  it("names the field of a bad UUID, and takes no encoded one", async () => {
    for (const uuid of ["123", `%31${SALE.slice(1)}`, `${SALE}%00`]) {
      const answer = await send("GET", `/svc/v1/public/sales/${uuid}/commitment-data`);
      expect(answer.status).toBe(400);
      expect(parse(answer).details.violations).toMatchObject([{ field: "SaleUUID", rule: "string.uuid" }]);
    }
  });
});

describe("the block of the last change", () => {
  const OTHER = "abcdefab-cdef-4bcd-8fab-cdefabcdef00";
  const block = `19000000;hash="0x${"4f".repeat(32)}"`;
  const changedPosition = { height: 19_000_000n, hash: new Uint8Array(32).fill(0x4f) };
  const read = () => send("GET", SALE_PATH.replace(SALE, OTHER));

  it("is a header of every answer, which web pages may read, and leaves the body as it is", async () => {
    gateway.fake.sales.set(OTHER, { generation: 1n, revision: 1n, data, changedPosition });
    const headers = { "tidemark-changed-block": block };
    expect(await read()).toMatchObject({ status: 200, headers: { ...headers, ...EXPOSED }, body: EXPECTED });
    const posted = await post(JSON.stringify({ SaleUUID: OTHER }));
    const exposed = { "access-control-expose-headers": "Tidemark-Changed-Block" };
    expect(posted).toMatchObject({ status: 200, headers: { ...headers, ...exposed }, body: EXPECTED });
    const unchanged = await send("GET", SALE_PATH.replace(SALE, OTHER), { "if-none-match": ETAG });
    expect(unchanged).toMatchObject({ status: 304, headers });
  });

  it("is that of the event from which a body is made, and absent where nobody knows it", async () => {
    const event = (revision: bigint, height?: bigint) =>
      create(SaleUpdatedSchema, {
        saleUuid: OTHER,
        generation: 1n,
        revision,
        status: 0,
        readable: true,
        totalAmount: "1",
        changes: { totalAmountBefore: "1" },
        ...(height !== undefined && { changedPosition: { height } }),
      });
    gateway.clock.now += 60_000;
    gateway.fake.sales.set(OTHER, {
      generation: 2n,
      revision: 1n,
      data: { totalAmount: "1" },
      sale: {},
      changedPosition,
    });
    await read();
    for (const [revision, height] of [
      [2n, 19_000_001n],
      [3n, undefined],
      [4n, 10n ** 15n],
    ] as const) {
      expect(gateway.cache.advance({ ...event(revision, height), generation: 2n })).toBe(true);
      const shown = height === 19_000_001n ? "19000001" : undefined;
      expect((await read()).headers["tidemark-changed-block"]).toBe(shown);
    }
  });

  it("isn't said of a sale whose last change came without one", async () => {
    expect((await send("GET", SALE_PATH)).headers["tidemark-changed-block"]).toBeUndefined();
  });
});

describe("while the commitments service is down", () => {
  it("says the age of the body, in each form, for web pages to see", async () => {
    gateway.clock.now += 5500;
    gateway.fake.fail();
    const headers = { ...EXPOSED, age: "5" };
    expect(await post(BODY)).toMatchObject({ status: 200, headers, body: EXPECTED });
    expect(await send("GET", SALE_PATH)).toMatchObject({ status: 200, headers, body: EXPECTED });
    const revalidated = await send("GET", SALE_PATH, { "if-none-match": ETAG });
    expect(revalidated).toMatchObject({ status: 304, headers });
    expect(gateway.counters.stale).toBe(3);
  });

  it("answers 503 when that is too old", async () => {
    gateway.clock.now += 60_000;
    const answer = await post(BODY);
    expect(answer).toMatchObject({ status: 503, headers: { ...EXPOSED, "retry-after": "1" } });
    expect(parse(answer)).toMatchObject({ code: "unavailable", details: {} });
    gateway.fake.recover();
    gateway.clock.now += 100;
    expect((await post(BODY)).headers["age"]).toBeUndefined();
  });
});

describe("the duration of reads", () => {
  const durations = () => {
    const { ok, failed } = gateway.counters.reads;
    return [ok.count, failed.count, Math.round((ok.seconds + failed.seconds) * 1_000)] as const;
  };
  /** Lets time pass while an answer waits for the commitments service. */
  const answerAfter = async (millis: number, request: Promise<Answer>) => {
    const loads = gateway.fake.loads.length;
    while (gateway.fake.loads.length === loads) await new Promise(setImmediate);
    gateway.clock.now += millis;
    gateway.fake.release();
    return (await request).status;
  };

  it("is counted for an answer from memory, one that waits and a 5xx, but for no wrong request", async () => {
    const [ok, failed, millis] = durations();
    expect((await post(BODY)).status).toBe(200);
    expect((await send("GET", SALE_PATH)).status).toBe(200);
    expect(durations()).toEqual([ok + 2, failed, millis]);
    gateway.clock.now += 5_000;
    gateway.fake.hold();
    expect(await answerAfter(300, post(BODY))).toBe(200);
    expect(durations()).toEqual([ok + 3, failed, millis + 300]);
    expect((await post("{")).status).toBe(400);
    expect((await send("GET", SALE_PATH.replace("abcdefab", "99999999"))).status).toBe(404);
    expect(durations()).toEqual([ok + 3, failed, millis + 300]);
    gateway.clock.now += 120_000;
    gateway.fake.fail();
    gateway.fake.hold();
    expect(await answerAfter(2_000, send("GET", SALE_PATH))).toBe(503);
    expect(durations()).toEqual([ok + 3, failed + 1, millis + 2_300]);
    gateway.fake.recover();
    gateway.clock.now += 100;
  });
});

describe("everything else", () => {
  it.each([
    ["GET", READ, "POST, OPTIONS"],
    ["HEAD", READ, "POST, OPTIONS"],
    ["PUT", READ, "POST, OPTIONS"],
    ["POST", SALE_PATH, "GET, HEAD, OPTIONS"],
    ["DELETE", SALE_PATH, "GET, HEAD, OPTIONS"],
  ])("%s %s: 405", async (method, path, allow) => {
    const answer = await send(method, path);
    expect(answer).toMatchObject({ status: 405, headers: { allow } });
    if (method !== "HEAD") expect(parse(answer)).toMatchObject({ code: "unimplemented" });
    expectPublic(answer);
  });

  it.each(["/svc", "/oauth/authorize", `${READ}/x`, `//svc/v1/public/read-commitment-data`])(
    "%s: 404",
    async (path) => {
      for (const method of ["GET", "POST", "OPTIONS"]) {
        const answer = await send(method, path);
        expect(answer.status).toBe(404);
        expect(parse(answer)).toMatchObject({ code: "not_found" });
        expectPublic(answer);
      }
    },
  );

  it.each([READ, SALE_PATH])("lets browsers ask with a preflight of %s", async (path) => {
    const answer = await send("OPTIONS", path, { origin: "https://sale.example" });
    expect(answer).toMatchObject({
      status: 204,
      headers: {
        "access-control-allow-origin": "*",
        "access-control-allow-methods": "GET, HEAD, POST",
        "access-control-allow-headers": "*, Authorization",
        "access-control-max-age": "86400",
      },
    });
  });
});
