import { describe, expect, it } from "vitest";
import { readCommitmentData } from "./public-read.ts";
import { type Answer, fakeFetch, json } from "./testing/fake-fetch.ts";

const SALE = "11111111-1111-4111-8111-111111111111";
const serverOf = (...answers: readonly Answer[]) => {
  const fake = fakeFetch(...answers);
  return { ...fake, server: { url: "https://tidemark.example/ignored", fetch: fake.fetch } };
};
const failure = (...answers: readonly Answer[]) =>
  readCommitmentData(serverOf(...answers).server, SALE).catch((error) => error);

describe("readCommitmentData", () => {
  it("posts the sale's UUID below the prefix, and returns the body", async () => {
    const { server, requests } = serverOf(json({ UniqueCommitmentCount: 1 }));
    expect(await readCommitmentData({ ...server, prefix: "sonar" }, SALE)).toEqual({ UniqueCommitmentCount: 1 });
    await readCommitmentData(server, SALE);
    expect(requests.map(({ url }) => new URL(url).pathname)).toEqual([
      "/sonar/v1/public/read-commitment-data",
      "/svc/v1/public/read-commitment-data",
    ]);
    expect(requests[0]).toMatchObject({ method: "POST", body: JSON.stringify({ SaleUUID: SALE }) });
    expect(requests[0]?.headers.get("content-type")).toBe("application/json");
  });

  it("throws what the server answers", async () => {
    const body = { code: "resource_exhausted", message: "Too many.", details: { violations: [] } };
    expect(await failure(json(body, 429, { "retry-after": "7" }))).toMatchObject({
      ...{ name: "TidemarkError", ...body, status: 429, retryAfterSeconds: 7 },
    });
  });

  it.each([
    ["a page of a proxy", new Response("<html>", { status: 502 }), { code: "unknown", status: 502, details: {} }],
    ["a success that isn't JSON", new Response("<html>"), { code: "unknown", status: 200 }],
    ["JSON of another shape", json({ details: "no" }, 500), { code: "unknown", status: 500, details: {} }],
    ["no answer", new TypeError("fetch failed"), { code: "unreachable", status: 0, cause: expect.any(TypeError) }],
  ])("throws its own error for %s", async (_case, answer, expected) => {
    expect(await failure(answer)).toMatchObject({ name: "TidemarkError", retryAfterSeconds: undefined, ...expected });
  });

  it("throws the reason of its signal", async () => {
    const { server, requests } = serverOf(json({}));
    await expect(readCommitmentData(server, SALE, { signal: AbortSignal.abort("over") })).rejects.toBe("over");
    expect(requests).toEqual([]);
    const controller = new AbortController();
    const { server: other } = serverOf(({ signal }) => {
      controller.abort("later");
      return Promise.reject(signal?.reason);
    });
    await expect(readCommitmentData(other, SALE, { signal: controller.signal })).rejects.toBe("later");
  });
});
