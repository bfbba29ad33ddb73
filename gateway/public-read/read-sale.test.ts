import { create } from "@bufbuild/protobuf";
import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { GetSignerResponseSchema } from "../../proto/gen/tidemark/entities/v1/permit_service_pb.ts";
import { SUMMARY as LEAST, saleAt } from "../testing/fake-commitments.ts";
import { type RunningGateway, runGateway } from "../testing/gateway-parts.ts";

const SALE = "abcdefab-cdef-4bcd-8fab-cdefabcdefab";
const SUMMARY = { ...LEAST, presentation: { description: "Much to say. ".repeat(100) } };

let gateway: RunningGateway;
let revision = 0n;

/** The same requests in each run. */
const SEED = 20_261_125;
const uuids = fc.oneof(
  fc.constantFrom(
    SALE,
    SALE.toUpperCase(),
    `{${SALE}}`,
    `${SALE}\n`,
    ` ${SALE}`,
    "00000000-0000-4000-8000-000000000000",
  ),
  fc.string({ unit: "binary", maxLength: 40 }),
  fc.jsonValue({ maxDepth: 2 }),
);
const names = fc.constantFrom("SaleUUID", "saleUUID", "__proto__", "Wallet");
const bodies = fc.oneof(
  uuids.map((SaleUUID) => JSON.stringify({ SaleUUID })),
  fc
    .array(fc.tuple(names, uuids), { maxLength: 4 })
    .map((fields) => `{${fields.map(([name, held]) => `${JSON.stringify(name)}:${JSON.stringify(held)}`).join()}}`),
  fc.json(),
  fc.string({ unit: "binary", maxLength: 60 }),
);

const signer = { address: "" };

beforeAll(async () => {
  const getSigner = async () => create(GetSignerResponseSchema, signer);
  gateway = await runGateway({}, { getSigner });
});
afterAll(() => gateway.server.close(AbortSignal.abort()));
beforeEach(() => {
  // A sale that is held already is found to be another one once its time is over.
  gateway.clock.now += 100_000;
  revision++;
  gateway.fake.recover();
  gateway.fake.sales.set(SALE, { ...saleAt(revision), sale: SUMMARY, feedState: { behind: { seconds: 1n } } });
});

const url = (path: string) => `http://127.0.0.1:${gateway.server.port}/svc/v1/public${path}`;
const get = (headers: Record<string, string> = {}) => fetch(url(`/sales/${SALE}`), { headers });
const post = (body: string, headers: Record<string, string> = {}) =>
  fetch(url("/read-sale"), { method: "POST", body, headers: { "content-type": "application/json", ...headers } });
const BODY = JSON.stringify({ SaleUUID: SALE });

describe("read-sale", () => {
  it("answers the same by POST and by GET, the first time and from memory, after one load", async () => {
    const loads = gateway.fake.loads.length;
    const answers = [await post(BODY), await get(), await post(BODY), await get()];
    const bodies = await Promise.all(answers.map((answer) => answer.json()));
    expect(bodies[0]).toMatchObject({ SaleUUID: SALE, Name: "A sale", BehindSeconds: 1 });
    for (const body of bodies) expect(body).toStrictEqual(bodies[0]);
    expect(gateway.fake.loads).toHaveLength(loads + 1);
    for (const answer of answers) {
      expect(answer.headers.get("access-control-allow-origin")).toBe("*");
      expect(answer.headers.get("content-encoding")).toBe("gzip");
    }
    expect(answers.map(({ headers }) => headers.has("etag"))).toEqual([false, true, false, true]);
    expect(answers[1]?.headers.get("cache-control")).toBe("no-store");
  });

  it("answers 304 while nothing but the time has changed, and again the body after a change", async () => {
    const etag = (await get()).headers.get("etag") ?? "";
    gateway.clock.now += 1_000;
    expect((await get({ "if-none-match": etag })).status).toBe(304);
    expect(await (await get()).json()).toMatchObject({ BehindSeconds: 2 });
    gateway.clock.now += 100_000;
    gateway.fake.sales.set(SALE, { ...saleAt(revision + 1n), sale: { ...SUMMARY, name: "Renamed" } });
    const changed = await get({ "if-none-match": etag });
    expect(changed.status).toBe(200);
    expect(await changed.json()).toMatchObject({ Name: "Renamed" });
    revision++;
  });

  it("has the signer of permits, and another entity tag once it is another one", async () => {
    const etag = (await get()).headers.get("etag") ?? "";
    signer.address = "0xA1";
    gateway.clock.now += 100_000;
    // The one that is held serves while the new one is asked for.
    await get();
    const changed = await get({ "if-none-match": etag });
    expect(await changed.json()).toMatchObject({ Signer: "0xa1" });
    signer.address = "";
    gateway.clock.now += 100_000;
    await get();
  });

  it("has the same entity tag at another revision of the figures", async () => {
    const etag = (await get()).headers.get("etag");
    gateway.clock.now += 100_000;
    gateway.fake.sales.set(SALE, { ...saleAt(++revision), sale: SUMMARY });
    expect((await get()).headers.get("etag")).toBe(etag);
  });

  it("serves what it has with its age, and says so, while the commitments service fails", async () => {
    await get();
    gateway.fake.fail();
    gateway.clock.now += 30_000;
    const answer = await get();
    expect(answer.headers.get("age")).toBe("30");
    expect(await answer.json()).toMatchObject({
      Name: "A sale",
      Fault: "The sale's figures can't be brought up to date at the moment.",
      BehindSeconds: 31,
    });
  });

  it("is unavailable while a commitments service of an older version says nothing about the sale", async () => {
    gateway.fake.sales.set(SALE, saleAt(revision));
    for (const answer of [await get(), await post(BODY)]) {
      expect(answer.status).toBe(503);
      expect(await answer.json()).toMatchObject({ code: "unavailable" });
    }
  });

  it("answers a fault of the commitments service as an internal error", async () => {
    const { fixedPrice: _, ...priceless } = SUMMARY;
    gateway.fake.sales.set(SALE, { ...saleAt(revision), sale: priceless });
    for (let i = 0; i < 2; i++) expect((await get()).status).toBe(500);
  });

  it("refuses what read-commitment-data refuses", async () => {
    expect((await post("[]")).status).toBe(400);
    expect((await post('{"SaleUUID":"1"}')).status).toBe(400);
    expect((await post("{}", { "content-type": "text/plain" })).status).toBe(415);
    expect((await post(" ".repeat(16_385))).status).toBe(413);
    expect((await fetch(url("/sales/1"))).status).toBe(400);
    expect((await fetch(url(`/sales/${SALE}`), { method: "POST" })).status).toBe(405);
    const unknown = "00000000-0000-4000-8000-000000000000";
    expect((await fetch(url(`/sales/${unknown}`))).status).toBe(404);
  });

  it("answers any body with the status that read-commitment-data has for it, and never fails", async () => {
    const headers = { "content-type": "application/json" };
    const statusOf = async (path: string, body: string) =>
      (await fetch(url(path), { method: "POST", headers, body })).status;
    const seen = new Set<number>();
    await fc.assert(
      fc.asyncProperty(bodies, async (body) => {
        const status = await statusOf("/read-sale", body);
        expect(await statusOf("/read-commitment-data", body)).toBe(status);
        seen.add(status);
      }),
      { numRuns: 200, seed: SEED },
    );
    expect([...seen].toSorted()).toEqual([200, 400, 404]);
  });
});
