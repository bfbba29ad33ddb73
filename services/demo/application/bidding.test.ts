import { expect, it } from "vitest";
import { newWalletOf } from "./bidding.ts";

it("gives each visit an address of its own where there is no chain to bid on", async () => {
  const bidding = { absence: "There is no chain." };
  const [one, other] = [await newWalletOf(bidding), await newWalletOf(bidding)];
  expect(one.address).toMatch(/^0x[0-9a-f]{40}$/);
  expect(other.address).not.toBe(one.address);
  await expect(one.bid({} as never, {} as never)).rejects.toThrow("There is no chain.");
});
