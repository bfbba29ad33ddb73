import { describe, expect, it } from "vitest";
import type { SvmFault } from "../../../../test/support/chains/svm-node.ts";
import {
  bid,
  expectUpToDate,
  readSale,
  type SvmReaderFixture,
  svmEntity,
  svmEntityId,
  wallets,
} from "../../../../test/support/chains/svm-reader-fixture.ts";

/** Refuses calls for more accounts than a bound. @returns the numbers of accounts that were asked for */
function bound({ node }: SvmReaderFixture, most: number, fault: SvmFault): readonly number[] {
  const asked: number[] = [];
  node.beforeAnswer = (method, [addresses]) => {
    if (method !== "getMultipleAccounts" || !Array.isArray(addresses)) return undefined;
    asked.push(addresses.length);
    return addresses.length > most ? fault : undefined;
  };
  return asked;
}

/** Lets sixty entities bid a price. */
function bidAll({ node }: SvmReaderFixture, price: bigint): void {
  node.advance(({ entities }) => {
    for (let entity = 1; entity <= 60; entity += 1) entities.set(svmEntityId(entity), svmEntity({ price }));
  });
}

describe("a node that bounds the accounts of a call", () => {
  it.each<[SvmFault, number]>([
    ["http_413", 3],
    ["http_413", 40],
    ["invalid_params", 3],
    ["invalid_params", 5],
    ["account_bound", 5],
  ])("(%s, %i accounts) is asked for ever fewer, and then for as few at once", async (fault, most) => {
    await using fixture = await readSale(0);
    const { node } = fixture;
    for (let entity = 1; entity <= 60; entity += 1) bid(node, entity);
    bid(node, 99, { wallets: wallets(30) });
    const asked = bound(fixture, most, fault);
    await fixture.read();
    expectUpToDate(fixture);
    expect(asked.filter((count) => count > most).length).toBeLessThan(60);
    const before = asked.length;
    for (let entity = 1; entity <= 60; entity += 2) bid(node, entity, { price: 77n });
    await fixture.read();
    expectUpToDate(fixture);
    const tooMany = asked.slice(before).filter((count) => count > most);
    expect(tooMany.length, "one larger call is tried again after 64").toBeLessThanOrEqual(1);
  });

  it("is asked for more again once it takes more", async () => {
    await using fixture = await readSale(0);
    bidAll(fixture, 1n);
    bound(fixture, 5, "http_413");
    await fixture.read();
    const asked = bound(fixture, 100, "http_413");
    for (let price = 2n; Math.max(0, ...asked) < 11 && price < 20n; price += 1n) {
      bidAll(fixture, price);
      await fixture.read();
      expectUpToDate(fixture);
    }
    expect(Math.max(...asked)).toBeGreaterThanOrEqual(11);
  });

  it("that fails otherwise for more accounts is asked for as many as before, and for more only after 64 calls", async () => {
    await using fixture = await readSale(0);
    bidAll(fixture, 1n);
    bound(fixture, 5, "http_413");
    await fixture.read();
    let trials = 0;
    let calls = 0;
    for (let price = 2n; price < 12n; price += 1n) {
      bidAll(fixture, price);
      const asked = bound(fixture, 5, "json_rpc_error");
      await fixture.read();
      expectUpToDate(fixture);
      calls += asked.length;
      if (asked.some((count) => count > 5)) trials += 1;
    }
    expect(trials).toBeGreaterThan(1);
    expect(trials).toBeLessThanOrEqual(Math.ceil(calls / 64));
  });

  it("isn't taken for all nodes while another one only doesn't answer", async () => {
    await using fixture = await readSale(3, { hasPeer: true });
    const { peer } = fixture;
    if (peer === undefined) throw new Error("the fixture has a peer");
    bid(fixture.node, 1);
    bound(fixture, 2, "invalid_params");
    peer.beforeAnswer = () => "http_500";
    await expect(fixture.read()).rejects.toMatchObject({ name: "SourceFault", remedy: "wait" });
    peer.beforeAnswer = () => undefined;
    await fixture.read();
    expectUpToDate(fixture);
  });

  it("is not blamed if it refuses one entity alone, and goes on to be asked first", async () => {
    await using fixture = await readSale(3);
    bid(fixture.node, 1);
    bound(fixture, 2, "invalid_params");
    await expect(fixture.read()).rejects.toMatchObject({
      name: "SourceFault",
      remedy: "mend",
      isOfNodes: false,
      message: expect.stringContaining("are refused even alone"),
    });
  });
});
