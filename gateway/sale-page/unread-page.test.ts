import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { FeedFault } from "../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { SALE } from "../testing/fake-commitments.ts";
import { type RunningGateway, runGateway } from "../testing/gateway-parts.ts";
import { worstSale } from "../testing/worst-sale.ts";

const PAGE = `/sales/${SALE}`;

let gateway: RunningGateway;
beforeEach(async () => {
  gateway = await runGateway({});
  gateway.fake.sales.set(SALE, { ...worstSale(1n), isUnread: true });
});
afterEach(() => gateway.server.close(AbortSignal.abort()));

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(`http://127.0.0.1:${gateway.server.port}${path}`, { headers });

describe("the page of a sale whose contract hasn't been read yet", () => {
  it("has all that the sale's definition says, and no figure", async () => {
    const answer = await get(PAGE);
    expect([answer.status, answer.headers.get("cache-control")]).toEqual([200, "no-store"]);
    const html = await answer.text();
    expect(html).toContain("There are no figures yet");
    expect(html).toContain("The sale’s contract hasn’t been read yet.");
    for (const part of ['id="name"', 'id="stage"', 'id="offered"', 'id="floor"', 'id="contract"', "unread.js"])
      expect(html).toContain(part);
    for (const part of ['id="total"', 'id="count"', 'id="clearing"', 'id="latest"', "data-chart", "sale.js"])
      expect(html).not.toContain(part);
    expect(html).not.toMatch(/class="tile" hidden/);
    expect(html).toContain('data-key="offered floor"');
  });

  it("says why where that is known, and in the reader's language", async () => {
    const feedState = { fault: FeedFault.UNREADABLE };
    gateway.fake.sales.set(SALE, { ...worstSale(1n), isUnread: true, feedState });
    expect(await (await get(PAGE)).text()).toContain("The sale’s contract can’t be read at the moment.");
    const german = await (await get(PAGE, { "accept-language": "de" })).text();
    expect(german).toContain("Es gibt noch keine Zahlen");
  });

  it("is for people: the figures are still unavailable, and so is its stream", async () => {
    const api = `/svc/v1/public/sales/${SALE}/commitment-data`;
    for (const path of [api, `${api}/stream`]) {
      const answer = await get(path);
      expect([answer.status, (await answer.json()).code]).toEqual([503, "unavailable"]);
    }
  });

  it("gives way to the sale's page as soon as there are figures", async () => {
    await get(PAGE);
    gateway.fake.sales.set(SALE, worstSale(2n));
    gateway.clock.now += 60_000;
    expect(await (await get(PAGE)).text()).toContain('id="total"');
  });
});
