import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { StreamReader } from "../../gateway/testing/stream-reader.ts";
import { DEMO_SALE_UUID, type EmbeddedTidemark, startEmbedded } from "../support/processes/embedded.ts";

describe.each(["node", "deno"] as const)("the embedded start on %s", (runtime) => {
  let tidemark: EmbeddedTidemark;

  beforeAll(async () => {
    tidemark = await startEmbedded(runtime);
  });
  afterAll(() => tidemark?.stop());

  function read(saleUuid: string): Promise<Response> {
    return fetch(tidemark.publicReadUrl, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ SaleUUID: saleUuid }),
    });
  }

  it("answers the public read of the demo sale", async () => {
    const response = await read(DEMO_SALE_UUID);
    expect(response.status).toBe(200);
    const body = await response.json();
    expect(body).toMatchObject({ PaymentTokenDecimals: 6, OfferedTokenDecimals: 18 });
    expect(body.Commitments).toHaveLength(100);
    expect(body.UniqueCommitmentCount).toBeGreaterThanOrEqual(100);
    expect(body.TotalCommitmentAmount).toMatch(/^[1-9][0-9]*$/);
    expect(body.ClearingPriceNumerator).toMatch(/^[1-9][0-9]*$/);
  });

  it("answers an unknown sale with not_found", async () => {
    const response = await read("00000000-0000-4000-8000-000000000000");
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ code: "not_found" });
  });

  it("streams the demo sale as it changes", async () => {
    const url = new URL(`./sales/${DEMO_SALE_UUID}/commitment-data/stream`, tidemark.publicReadUrl);
    const stream = await StreamReader.open(url.href);
    const events = [await stream.event(), await stream.event(), await stream.event()];
    expect(events.map(({ event }) => event)).toEqual(["body", "difference", "difference"]);
    stream.close();
  });

  it("stops cleanly on SIGTERM", async () => {
    expect(await tidemark.process.kill("SIGTERM")).toEqual({ code: 0, signal: null });
  });
});
