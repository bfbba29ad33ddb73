import { randomUUID } from "node:crypto";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  type GetPublicRulesResponse,
  GetPublicRulesResponseSchema,
} from "../../proto/gen/tidemark/entities/v1/eligibility_service_pb.ts";
import { EntityType } from "../../proto/gen/tidemark/entities/v1/entity_pb.ts";
import type { PublicRulesSchema } from "../../proto/gen/tidemark/entities/v1/participation_rules_pb.ts";
import { SALE, SUMMARY, saleAt } from "../testing/fake-commitments.ts";
import { type RunningGateway, runGateway } from "../testing/gateway-parts.ts";

const RULES: MessageInitShape<typeof PublicRulesSchema> = {
  enabled: true,
  entityTypes: [EntityType.PERSON],
  countries: ["US"],
  groups: [{ name: "Early <birds>", opensAt: 1_800_000_000n, minAmount: "1000000", maxAmount: "5000000000" }],
  defaultGroupName: "Early <birds>",
  maxWalletsPerEntity: 2,
  walletsScreened: true,
};

let gateway: RunningGateway;
let answer: () => Promise<GetPublicRulesResponse>;
const failing = () => Promise.reject(new ConnectError("down", Code.Unavailable));
const answering = (rules?: typeof RULES) => async () =>
  create(GetPublicRulesResponseSchema, rules === undefined ? {} : { rules });

beforeEach(async () => {
  answer = answering(RULES);
  gateway = await runGateway({}, { getPublicRules: () => answer() });
  const paymentTokens = [{ address: "0xa1", symbol: "USDC", decimals: 6 }];
  gateway.fake.sales.set(SALE, { ...saleAt(1n), sale: { ...SUMMARY, paymentTokens } });
});
afterEach(() => gateway.server.close(AbortSignal.abort()));

/** Returns a page some time after the one before, as text. @param part below the sale's page */
async function page(part: "" | "/rules", language = "en", afterMs = 2_000): Promise<string> {
  gateway.clock.now += afterMs;
  const headers = { "accept-language": language };
  const html = await (await fetch(`http://127.0.0.1:${gateway.server.port}/sales/${SALE}${part}`, { headers })).text();
  const [, main = ""] = /<main[^>]*>(.*?)<\/main>/s.exec(html) ?? [];
  return main
    .replaceAll(/<[^>]+>/g, " ")
    .replaceAll(/\s+/g, " ")
    .trim();
}

const TITLE = "Who may take part";

describe("the page of a sale's rules", () => {
  it("has them in the words of founders' pages, with windows and limits, and escaped", async () => {
    expect(await page("/rules")).toBe(
      "A sale Who may take part The sale’s founder sets these rules, by which purchase permits are issued, and can change them. " +
        "Who people Countries all but United States Wallets up to 2 for each entity " +
        "Screening each wallet, before it gets a permit Presence needn’t be proved " +
        "Group “Early &lt;birds&gt;” from 2027-01-15 08:00 UTC 1 USDC to 5,000 USDC " +
        "Everybody else takes part as in “Early &lt;birds&gt;”",
    );
  });

  it("is German for German readers, with numbers as they write them", async () => {
    const text = await page("/rules", "de");
    expect(text).toContain("Wer teilnehmen darf Der Anbieter legt diese Regeln fest");
    expect(text).toContain("Länder alle außer: Vereinigte Staaten");
    expect(text).toContain("ab 2027-01-15 08:00 UTC 1 USDC bis 5.000 USDC");
  });

  it("says that there are none to read where their founder shows none, or the entities service fails", async () => {
    answer = answering();
    expect(await page("/rules")).toContain("There are no rules to read here now");
    answer = failing;
    expect(await page("/rules", "de")).toContain("Hier sind jetzt keine Regeln zu lesen");
  });

  it("says when they were read while the entities service fails, and has none in the end", async () => {
    await page("/rules");
    answer = failing;
    expect(await page("/rules", "en", 30_000)).not.toContain("last read");
    expect(await page("/rules", "en", 60_000)).toContain("They were last read on 1 Jan 1970, 00:16 UTC , and may have");
    expect(await page("/rules", "en", 3_600_000)).toContain("There are no rules to read here now");
  });

  it("is there for a sale whose contract wasn't read yet, and not for an unknown one", async () => {
    gateway.fake.sales.set(SALE, { ...saleAt(1n), isUnread: true, sale: SUMMARY });
    expect(await page("/rules")).toContain("Who people");
    gateway.fake.sales.delete(SALE);
    const address = `http://127.0.0.1:${gateway.server.port}/sales/${randomUUID()}/rules`;
    expect((await fetch(address)).status).toBe(404);
  });

  it("say first that nobody takes part now", async () => {
    answer = answering({ ...RULES, enabled: false });
    expect(await page("/rules")).toContain("Taking part off Who people");
  });
});

describe("the page of a sale", () => {
  it("leads to the rules that its founder shows, from soon after the change", async () => {
    await page("");
    expect(await page("")).toContain(TITLE);
    answer = answering();
    await page("", "en", 11_000);
    expect(await page("")).not.toContain(TITLE);
  });

  it("doesn't wait for the entities service, and leads nowhere while that is silent", async () => {
    answer = () => new Promise(() => {});
    expect(await page("")).toContain("however much is committed");
    expect(await page("")).not.toContain(TITLE);
  });

  it("has them in no answer of the public read", async () => {
    await page("/rules");
    const path = `/svc/v1/public/sales/${SALE}`;
    const body = await (await fetch(`http://127.0.0.1:${gateway.server.port}${path}`)).text();
    expect(body).not.toContain("Early");
  });
});
