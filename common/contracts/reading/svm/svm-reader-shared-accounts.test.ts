import { describe, expect, it } from "vitest";
import { SVM_FAULTS } from "../../../../test/support/chains/svm-node.ts";
import {
  bid,
  expectUpToDate,
  readSale,
  type SvmReaderFixture,
} from "../../../../test/support/chains/svm-reader-fixture.ts";

/** The clock and several sales. */
const isShared = (method: string, [addresses]: readonly unknown[]) =>
  method === "getMultipleAccounts" && Array.isArray(addresses) && new Set(addresses).size < addresses.length;

/** Reads both sales at one moment, until they are up to date: a read that fails is made again. */
async function readTogether(pair: readonly SvmReaderFixture[]): Promise<void> {
  const isBehind = ({ store, node }: SvmReaderFixture) => store.position?.height !== BigInt(node.state.slot);
  for (let read = 0; read < 4 && pair.some(isBehind); read++) {
    await Promise.all(pair.map((each) => each.read().catch(() => undefined)));
  }
  for (const each of pair) expectUpToDate(each);
}

describe("the sale accounts of two readers", () => {
  it("are one call, with the clock", async () => {
    await using fixture = await readSale(3);
    const pair = [fixture, fixture.twin()];
    await readTogether(pair);
    let shared = 0;
    fixture.node.beforeAnswer = (method, params) => {
      if (isShared(method, params)) shared += 1;
      return undefined;
    };
    const before = fixture.node.requests.length;
    await Promise.all(pair.map((each) => each.read()));
    const asked = fixture.node.requests.slice(before).filter((method) => method === "getMultipleAccounts");
    expect([shared, asked.length]).toEqual([1, 1]);
  });

  it.each(SVM_FAULTS)("are exact for both where the answer about several has the fault %s", async (fault) => {
    await using fixture = await readSale(3);
    const pair = [fixture, fixture.twin()];
    fixture.node.beforeAnswer = (method, params) => (isShared(method, params) ? fault : undefined);
    for (let round = 1; round <= 3; round++) {
      bid(fixture.node, 2 * round, { price: BigInt(100 + round) });
      bid(fixture.node, 7 + round);
      await readTogether(pair);
    }
  });
});
