import { describe, expect, it } from "vitest";
import { publicAddress } from "./public-address.ts";

const UUID = "11111111-1111-4111-8111-111111111111";
const origin = "https://tidemark.example";

describe("publicAddress", () => {
  it.each([
    [`${origin}/sales/${UUID}`, {}],
    [`${origin}/sales/${UUID.toUpperCase()}/?a=b#wallet=0x1`, {}],
    [`${origin}/svc/v1/public/sales/${UUID}`, { prefix: "svc" }],
    [`${origin}/svc/v1/public/sales/${UUID}/commitment-data`, { prefix: "svc" }],
  ])("reads %s", (text, rest) => {
    expect(publicAddress(text)).toEqual({ origin, saleUuid: UUID, ...rest });
  });

  it.each([
    UUID,
    "",
    `${origin}/`,
    `${origin}/sales/7`,
    `ftp://tidemark.example/sales/${UUID}`,
    `${origin}/x/sales/${UUID}`,
  ])("takes %j for no address", (text) => {
    expect(publicAddress(text)).toBeUndefined();
  });
});
