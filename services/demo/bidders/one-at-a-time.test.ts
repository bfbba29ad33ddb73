import { expect, it } from "vitest";
import { oneAtATime } from "./one-at-a-time.ts";
import type { PermitBid } from "./permit-bid.ts";

it("places simulated bids and one of a wallet one after the other, also if the first fails", async () => {
  const events: string[] = [];
  const first = Promise.withResolvers<void>();
  const book = {
    takesCancellations: false,
    placed: async () => [],
    place: async () => {
      events.push("simulated");
      await first.promise;
    },
  };
  const wallet = { address: "0x1", bid: async () => void events.push("wallet") };
  const continuous = { contract: "0x2", open: async () => {}, step: async () => void events.push("continuous") };
  const turns = oneAtATime({ book, newWallet: async () => wallet, continuous });
  const placed = turns.book.place([]);
  const bid = (await turns.newWallet()).bid({} as PermitBid, () => {});
  const step = turns.continuous.step();
  await Promise.resolve();
  expect(events).toEqual(["simulated"]);
  first.reject(new Error("no chain"));
  await expect(placed).rejects.toThrow("no chain");
  await Promise.all([bid, step]);
  expect(events).toEqual(["simulated", "wallet", "continuous"]);
});
