import { Code } from "@connectrpc/connect";
import { beforeEach, describe, expect, it } from "vitest";

import { FakeCommitments, OTHER_SALE, SALE, SUMMARY, saleAt } from "../testing/fake-commitments.ts";
import { silentLogger } from "../testing/gateway-parts.ts";
import { HomePages } from "./home-pages.ts";

const OPENS = Date.parse("2027-01-31T12:00:00Z");
let fake: FakeCommitments;
let now: number;
let pages: HomePages;

beforeEach(() => {
  fake = new FakeCommitments();
  now = OPENS - 60_000;
  const clock = () => now;
  pages = new HomePages({
    ...{ client: fake.client, timeoutMs: 1_000, links: [] },
    ...{ now: clock, wallClock: clock, logger: silentLogger },
  });
  list("<b>A</b> sale");
  fake.sales.set(OTHER_SALE, { ...saleAt(1n), sale: { ...SUMMARY, name: "Not listed" } });
});

describe("the start page", () => {
  it("lists the sales that their founders list, with where they are", async () => {
    const html = await shown();
    expect(html).toContain(`<a href="/sales/${SALE}"><bdi>&lt;b&gt;A&lt;/b&gt; sale</bdi></a>`);
    expect(html).toContain('data-status="upcoming">Upcoming<');
    expect(html).toContain(">Test sale · Announced to open 31 Jan 2027, 12:00 UTC<");
    expect(html).not.toContain("Not listed");
    now += 60_000;
    expect(await shown()).toContain('data-status="open">Open<');
    expect(await shown()).toContain(">Test sale<");
  });

  it("says which announced time comes next, as a sale's page does", async () => {
    list("Ended", { closesAtSeconds: BigInt(now / 1_000), settlesAtSeconds: BigInt(OPENS / 1_000) });
    expect(await shown()).toContain(">Test sale · Announced to settle 31 Jan 2027, 12:00 UTC<");
  });

  it("lists them in the reader's language", async () => {
    expect((await pages.read("de")).identity.bytes.toString()).toContain("Testverkauf");
  });

  it("reads the list once in ten seconds, however many ask", async () => {
    await Promise.all([shown(), shown(), pages.read("de")]);
    now += 9_999;
    await shown();
    expect(fake.publicLists).toBe(1);
    list("Renamed");
    now += 1;
    expect(await shown()).toContain("Renamed");
    expect(fake.publicLists).toBe(2);
  });

  it("is there without the list, which it shows for five minutes after it could be read last", async () => {
    fake.fail(Code.Unavailable);
    expect(await shown()).toContain("The list of sales can’t be read at the moment.");
    fake.recover();
    now += 10_000;
    expect(await shown()).toContain("sale</bdi>");
    fake.fail(Code.Unavailable);
    for (const [passed, word] of [
      [300_000, "sale</bdi>"],
      [10_000, "can’t be read at the moment"],
    ] as const) {
      now += passed;
      expect(await shown()).toContain(word);
    }
  });
});

function list(name: string, times: object = { opensAtSeconds: BigInt(OPENS / 1_000) }): void {
  fake.sales.set(SALE, { ...saleAt(1n), sale: { ...SUMMARY, name, presentation: { listed: true, ...times } } });
}

async function shown(): Promise<string> {
  return (await pages.read("en")).identity.bytes.toString();
}
