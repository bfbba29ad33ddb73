import { describe, expect, it } from "vitest";
import { Random } from "../bidders/random.ts";
import { SimulatedBidders } from "../bidders/simulated-bidders.ts";
import { AUCTION } from "../sales/demo-sales.ts";
import { bidOfRow, type ContractRow, contractBid, simulatedRows } from "./auction-contract.ts";

const [token = "", otherToken = ""] = AUCTION.tokens;
const first = {
  entity: 0x0102,
  createdAtSeconds: 5n,
  priceTicks: 250n,
  refunded: false,
  amounts: [{ wallet: 0, token, amount: 5n }],
};

describe("the contract's bid", () => {
  it("adds everything of a first bid", () => {
    const wallet = `0x${"102".padStart(40, "0")}`;
    expect(contractBid(first, undefined)).toEqual({
      entity: "0xde300000000000000000000000000102",
      price: 250n,
      lockup: false,
      added: [{ wallet, token, amount: 5n }],
      extraData: "0x",
    });
  });

  it("adds only what has grown", () => {
    const amounts = [...first.amounts, { wallet: 1, token: otherToken, amount: 7n }];
    const { added } = contractBid({ ...first, amounts }, first);
    expect(added).toEqual([{ wallet: `0x01${"102".padStart(38, "0")}`, token: otherToken, amount: 7n }]);
  });

  it("adds an amount of 0 if only the price has risen", () => {
    const { price, added } = contractBid({ ...first, priceTicks: 300n }, first);
    expect([price, added.map(({ amount }) => amount)]).toEqual([300n, [0n]]);
  });

  it("leaves out rows of people who bid with a permit", () => {
    const simulated = { saleSpecificEntityID: contractBid(first, undefined).entity };
    const people = ["de300000000000000000000100000102", "0e300000000000000000000000000102"];
    const others = people.map((id) => ({ saleSpecificEntityID: `0x${id}` as const }));
    expect(simulatedRows([...others, simulated])).toEqual([simulated]);
  });

  it("adds up to the bids of the simulated bidders", () => {
    const bidders = new SimulatedBidders(AUCTION, new Random(1), { cancels: false });
    const latest = new Map<number, ReturnType<SimulatedBidders["act"]>>();
    const rows = new Map<string, ContractRow>();
    for (let action = 0; action < 5_000; action += 1) {
      const bid = bidders.act(BigInt(action));
      const input = contractBid(bid, latest.get(bid.entity));
      rows.set(input.entity, rowAfter(rows.get(input.entity), input, bid.createdAtSeconds));
      latest.set(bid.entity, bid);
    }
    expect([...rows.values()].map(bidOfRow)).toEqual([...latest.values()]);
  });
});

/** The row of PermitSale.sol after a bid. */
function rowAfter(row: ContractRow | undefined, bid: ReturnType<typeof contractBid>, timestamp: bigint): ContractRow {
  const amounts = (row?.amounts ?? []).map((pair) => ({ ...pair }));
  for (const { token, amount } of bid.added) {
    const pair = amounts.find((each) => each.token === token);
    if (pair === undefined) amounts.push({ token, amount });
    else pair.amount += amount;
  }
  return { saleSpecificEntityID: bid.entity, timestamp, price: bid.price, refunded: false, amounts };
}
