import { describe, expect, it } from "vitest";
import { saleRow, saleRows, TOKEN } from "../../../../test/support/chains/evm-chain.ts";
import type { Interference } from "../../../../test/support/chains/evm-node.ts";
import { expectUpToDate, ReaderFixture, raised, readSale } from "../../../../test/support/chains/evm-reader-fixture.ts";

describe("a sweep", () => {
  it("charges rows that always fail to the contract, and asks its node on as before", async () => {
    await using fixture = await ReaderFixture.start({ haltingFunctions: new Set(["readCommitmentDataIn"]) });
    fixture.chain.mine({ rows: saleRows(3) });
    const before = fixture.clock.now();
    await expect(fixture.read()).rejects.toMatchObject({
      message: expect.stringMatching(/^the row at index \d can't be read, even alone: .* \(the contract's own failure/),
      isOfNodes: false,
    });
    expect(fixture.clock.now()).toBe(before);
  });

  it("reads everything the first time, and nothing while the head stays", async () => {
    await using fixture = await ReaderFixture.start();
    fixture.chain.mine({ rows: saleRows(250), stage: 2 });
    const snapshot = await fixture.read();
    expect(snapshot).toMatchObject({ kind: "sweep", stage: "cancellation", count: 250n, headHeight: 1n });
    expect(snapshot?.rowsRead()).toBe(250n);
    expect(snapshot?.warning()).toBeUndefined();
    expectUpToDate(fixture);
    expect(await fixture.read()).toBeUndefined();
  });

  it("reads a sale without commitments", async () => {
    await using fixture = await ReaderFixture.start();
    await fixture.read();
    expect(fixture.store.hasSnapshot).toBe(true);
    expectUpToDate(fixture);
  });

  it("finds moved, changed and removed rows", async () => {
    await using fixture = await ReaderFixture.start({
      absentFunctions: new Set(["stage", "totalCommittedAmountByToken"]),
    });
    fixture.chain.mine({ rows: saleRows(230) });
    expect((await fixture.read())?.stage).toBeUndefined();
    const kept = saleRows(230).filter((_, index) => index !== 3 && index !== 120);
    fixture.chain.mine({ rows: kept.toReversed().with(7, raised(saleRow(223), 1n)) });
    expect(await fixture.read()).toMatchObject({ kind: "sweep", count: 228n });
    expectUpToDate(fixture);
  });

  it("refuses a commitment that is listed twice, even far apart", async () => {
    await using fixture = await ReaderFixture.start();
    fixture.chain.mine({ rows: saleRows(230).with(229, saleRow(2)) });
    await expect(fixture.read()).rejects.toThrow(`0x${saleRow(2).commitmentId} twice`);
    expect(fixture.store.hasSnapshot).toBe(false);
  });

  it("continues from the parts of an interrupted snapshot", async () => {
    await using fixture = await readSale(250);
    fixture.chain.mine({ rows: saleRows(250).toReversed() });
    fixture.node.behaviour.interfere = ({ functionName, params }) =>
      functionName === "readCommitmentDataIn" && JSON.stringify(params).includes("c8".padStart(64, "0"))
        ? { kind: "result", result: "0x" }
        : undefined;
    fixture.restart();
    await expect(fixture.read()).rejects.toThrow("answered nothing");
    expect(fixture.store.visible[0]).toMatchObject({ commitmentId: saleRow(1).commitmentId });
    fixture.node.behaviour.interfere = () => undefined;
    await fixture.read();
    expectUpToDate(fixture);
  });

  it("asks for less if the node runs out of gas", async () => {
    await using fixture = await readSale(250, { maxRows: 7 });
    expectUpToDate(fixture);
  });

  it.each<[string, Interference]>([
    ["an unknown error", { kind: "error", code: -32099, message: "frobnication exceeded" }],
    ["nothing", { kind: "result", result: "0x" }],
    ["half an answer", { kind: "truncated" }],
    ["an HTTP status of its proxy", { kind: "status", status: 502 }],
  ])("asks for less if the node answers to large requests with %s", async (_, refusal) => {
    await using fixture = await readSale(250, {
      interfere: ({ functionName, rows = 0 }) =>
        functionName === "readCommitmentDataIn" && rows > 40 ? refusal : undefined,
    });
    expectUpToDate(fixture);
  });

  it("asks for one row, and no more, after a failure that isn't about the size", async () => {
    await using fixture = await ReaderFixture.start({
      interfere: ({ params }) =>
        JSON.stringify(params).includes(`0x6a18b324${"0".repeat(64)}`)
          ? { kind: "error", code: -32099, message: "tired" }
          : undefined,
    });
    fixture.chain.mine({ rows: saleRows(90) });
    await expect(fixture.read()).rejects.toThrow("tired");
    const sizes = fixture.node.requests.map(({ rows }) => rows).filter((rows) => rows !== undefined);
    expect(new Set(sizes)).toEqual(new Set([1, 90]));
    fixture.node.behaviour.interfere = () => undefined;
    await fixture.read();
    expectUpToDate(fixture);
  });

  it("pins the block by number if the node accepts no hashes, and notices a re-organisation", async () => {
    await using fixture = await readSale(250, { byNumberOnly: true });
    expectUpToDate(fixture);
    fixture.chain.mine({ rows: saleRows(260) });
    fixture.restart();
    let moved = false;
    fixture.node.behaviour.interfere = ({ functionName }) => {
      if (functionName !== "readCommitmentDataIn" || moved) return undefined;
      moved = true;
      fixture.chain.drop(1);
      fixture.chain.mine({ rows: saleRows(260, 1000) });
      return undefined;
    };
    await expect(fixture.read()).rejects.toThrow("re-organised");
    expect(fixture.store.visible).toHaveLength(250);
    await fixture.read();
    expectUpToDate(fixture);
  });

  it("reads one block although the chain advances meanwhile", async () => {
    await using fixture = await ReaderFixture.start();
    const pinned = fixture.chain.mine({ rows: saleRows(250) });
    fixture.node.behaviour.interfere = ({ functionName }) => {
      if (functionName === "readCommitmentDataIn") fixture.chain.put(0, raised(saleRow(1), 5n));
      return undefined;
    };
    await fixture.read();
    expect(fixture.store.position?.hash).toBe(pinned.hash);
    expect(fixture.store.visible[0]?.amounts).toEqual(saleRow(1).amounts);
  });

  it("takes a zero in a token that the sale doesn't have, refuses an amount, and names the token", async () => {
    await using fixture = await ReaderFixture.start();
    const token = `0x${"e".repeat(40)}`;
    const paid = (amount: bigint) => [saleRow(1, { amounts: [{ wallet: TOKEN, token, amount }] })];
    fixture.chain.mine({ rows: paid(0n) });
    await fixture.read();
    expectUpToDate(fixture);
    fixture.chain.mine({ rows: paid(1n) });
    await expect(fixture.read()).rejects.toMatchObject({ remedy: "mend", message: expect.stringContaining(token) });
    expect(fixture.store.visible).toMatchObject(paid(0n));
  });

  it("refuses the contract of another sale", async () => {
    await using fixture = await ReaderFixture.start();
    fixture.node.behaviour.interfere = ({ functionName }) =>
      functionName === "saleUUID" ? { kind: "result", result: `0x${"12".repeat(16)}${"0".repeat(32)}` } : undefined;
    await expect(fixture.read()).rejects.toMatchObject({
      remedy: "mend",
      message: expect.stringContaining("saleUUID"),
    });
  });

  it("accepts a total that differs in the same way at three blocks, with a warning", async () => {
    await using fixture = await ReaderFixture.start();
    fixture.chain.mine({ rows: saleRows(3), surplus: 5n });
    await expect(fixture.read()).rejects.toThrow(`5 too much of token ${TOKEN}`);
    await expect(fixture.read()).rejects.toThrow("5 too much");
    fixture.chain.mine();
    await expect(fixture.read()).rejects.toThrow("5 too much");
    fixture.chain.mine();
    expect((await fixture.read())?.warning()).toContain("5 too much");
    expectUpToDate(fixture);
    fixture.chain.mine({ surplus: 6n });
    await expect(fixture.read()).rejects.toThrow("6 too much");
    fixture.chain.mine({ surplus: 0n });
    expect((await fixture.read())?.warning()).toBeUndefined();
    expectUpToDate(fixture);
  });

  it("takes at most a tenth of the time, beyond the first 15 s, if the contract can only be swept", async () => {
    await using fixture = await ReaderFixture.start();
    fixture.chain.mine({ rows: saleRows(3) });
    fixture.node.behaviour.interfere = ({ rows }) => {
      if (rows === 3) fixture.clock.advance(16_000);
      return undefined;
    };
    await fixture.read();
    fixture.chain.mine({ rows: saleRows(4) });
    fixture.clock.advance(8999);
    expect(await fixture.read()).toBeUndefined();
    fixture.clock.advance(1);
    expect(await fixture.read()).toMatchObject({ kind: "sweep", count: 4n });
  });
});
