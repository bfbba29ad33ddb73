import { create } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { expect, it } from "vitest";
import { SaleDefinitionSchema, SaleSchema, SaleStatus } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import type { Upstreams } from "../base/upstreams.ts";
import { RecentSales } from "./recent-sales.ts";

const SALE = "11111111-1111-4111-8111-111111111111";

function given() {
  const state = { nowMs: 1_000, asked: 0, away: false };
  const definition = create(SaleDefinitionSchema, {
    name: "Sale",
    paymentTokens: [],
    pricing: { case: "fixed", value: { priceTicks: "1" } },
  });
  const getSale = async ({ saleUuid = "" }) => {
    state.asked += 1;
    if (state.away) throw new ConnectError("away", Code.Unavailable);
    const sale = create(SaleSchema, { uuid: saleUuid, status: SaleStatus.OPEN, definition });
    return { sale };
  };
  const sales = new RecentSales({ sales: { getSale } as unknown as Upstreams["sales"] }, () => state.nowMs);
  return { state, sales };
}

it("asks once a second, however many ask at once", async () => {
  const { state, sales } = given();
  const all = await Promise.all([sales.read(SALE), sales.read(SALE), sales.read(SALE)]);
  expect(all.map(({ sale, askedAtMs }) => [sale.status, askedAtMs])).toEqual(Array(3).fill(["open", 1_000]));
  state.nowMs += 999;
  await sales.read(SALE);
  expect(state.asked).toBe(1);
  state.nowMs += 1;
  expect((await sales.read(SALE)).askedAtMs).toBe(2_000);
  expect(state.asked).toBe(2);
});

it("trusts facts for two seconds from when they were asked for", async () => {
  const { state, sales } = given();
  const recent = await sales.read(SALE);
  state.nowMs += 2_000;
  expect(sales.isTrusted(recent)).toBe(true);
  state.nowMs += 1;
  expect(sales.isTrusted(recent)).toBe(false);
});

it("forgets a failure at once", async () => {
  const { state, sales } = given();
  state.away = true;
  await expect(sales.read(SALE)).rejects.toMatchObject({ code: "unavailable" });
  state.away = false;
  expect((await sales.read(SALE)).sale.status).toBe("open");
});
