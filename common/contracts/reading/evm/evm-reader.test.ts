import { encodeAbiParameters } from "viem/utils";
import { describe, expect, it } from "vitest";
import { saleRow, saleRows } from "../../../../test/support/chains/evm-chain.ts";
import { blockTime } from "../../../../test/support/chains/evm-node.ts";
import { expectUpToDate, ReaderFixture, raised, readSale } from "../../../../test/support/chains/evm-reader-fixture.ts";

describe("a re-organisation", () => {
  it("to a lower height is believed after a while", async () => {
    await using fixture = await readSale(5);
    fixture.chain.mine();
    fixture.chain.put(0, raised(saleRow(1), 3n));
    await fixture.read();
    const { hash } = fixture.chain.head;
    fixture.chain.drop(2);
    expect(await fixture.read()).toBeUndefined();
    expect(fixture.store.position?.hash).toBe(hash);
    for (let read = 0; read < 10; read += 1) await fixture.read().catch(() => undefined);
    expectUpToDate(fixture);
  });

  it("while the rows are read publishes nothing", async () => {
    await using fixture = await readSale(250);
    fixture.chain.mine({ rows: saleRows(250).toReversed() });
    fixture.restart();
    fixture.node.behaviour.interfere = ({ functionName }) => {
      if (functionName === "readCommitmentDataIn") {
        fixture.chain.drop(1);
        fixture.chain.mine({ rows: saleRows(200) });
      }
      return undefined;
    };
    await expect(fixture.read()).rejects.toMatchObject({ remedy: "wait" });
    expect(fixture.store.visible).toHaveLength(250);
    fixture.node.behaviour.interfere = () => undefined;
    await fixture.read();
    expectUpToDate(fixture);
  });
});

describe("the block at which the store is up to date", () => {
  it("is known with its time, after a read and while there is no other block", async () => {
    await using fixture = await readSale(3);
    fixture.chain.put(0, raised(saleRow(1), 3n));
    const snapshot = await fixture.read();
    const { number, hash } = fixture.chain.head;
    const position = { height: number, hash, timeSeconds: blockTime(number) };
    expect(snapshot?.position).toEqual(position);
    expect(fixture.reader.upToDateAt()).toBeUndefined();
    expect(await fixture.read()).toBeUndefined();
    expect(fixture.reader.upToDateAt()).toEqual(position);
  });

  it("isn't known after a read that asked nothing, because the source rests after a sweep", async () => {
    await using fixture = await ReaderFixture.start({ hasLogs: false });
    fixture.node.behaviour.interfere = () => {
      fixture.clock.advance(2_000);
      return undefined;
    };
    fixture.chain.mine({ rows: saleRows(250) });
    await fixture.read();
    fixture.chain.mine();
    expect(await fixture.read()).toBeUndefined();
    expect(fixture.reader.upToDateAt()).toBeUndefined();
    expect(fixture.reader.restMs()).toBeGreaterThan(0);
  });
});

describe("a contract that answers nothing to unknown functions", () => {
  it("is read after several empty answers", async () => {
    await using fixture = await ReaderFixture.start({
      interfere: ({ functionName }) => (functionName === "stage" ? { kind: "result", result: "0x" } : undefined),
    });
    fixture.chain.mine({ rows: saleRows(3) });
    await expect(fixture.read()).rejects.toThrow("stage()");
    await expect(fixture.read()).rejects.toThrow("stage()");
    expect((await fixture.read())?.stage).toBeUndefined();
    expectUpToDate(fixture);
  });

  it("isn't believed about a function that has answered before", async () => {
    await using fixture = await readSale(3);
    fixture.node.behaviour.interfere = ({ functionName }) =>
      functionName === "totalCommittedAmountByToken"
        ? { kind: "error", code: 3, message: "execution reverted" }
        : undefined;
    for (let snapshot = 0; snapshot < 5; snapshot += 1) {
      fixture.chain.mine();
      await expect(fixture.read()).rejects.toThrow("execution reverted");
    }
  });
});

describe("a contract whose optional functions answer something unknown", () => {
  it("is read at any stage, with a warning", async () => {
    await using fixture = await readSale(3);
    fixture.chain.mine({ stage: 77 });
    const snapshot = await fixture.read();
    expect(snapshot).not.toHaveProperty("stage");
    expect(snapshot?.warning()).toContain("stage() of the contract is 77");
    fixture.chain.mine({ stage: 2 });
    expect((await fixture.read())?.warning()).toBeUndefined();
    expectUpToDate(fixture);
  });

  it("is swept after a change of stage, known or not, as after any", async () => {
    await using fixture = await readSale(3);
    fixture.chain.mine({ stage: 77 });
    expect(await fixture.read()).toMatchObject({ kind: "partial" });
    fixture.chain.mine({ stage: 78 });
    expect(await fixture.read()).toMatchObject({ kind: "sweep" });
  });

  it("is read without a function that is another one of that name, after several answers", async () => {
    await using fixture = await ReaderFixture.start({
      interfere: ({ functionName }) =>
        functionName === "version" ? { kind: "result", result: text("1.0.0") } : undefined,
    });
    fixture.chain.mine({ rows: saleRows(3), version: [2, 0, 0], stage: 4, allocates: true });
    await expect(fixture.read()).rejects.toThrow("version()");
    await expect(fixture.read()).rejects.toThrow("version()");
    const snapshot = await fixture.read();
    expect(snapshot).toMatchObject({ stage: "done" });
    expect(snapshot?.warning()).toBe(
      "version() of the contract doesn't answer like that of the reference contract, so it is ignored",
    );
    expectUpToDate(fixture);
  });

  function text(value: string): string {
    return encodeAbiParameters([{ type: "string" }], [value]);
  }
});

describe("the version of a contract", () => {
  it("says what its stages are called", async () => {
    await using fixture = await ReaderFixture.start();
    fixture.store.cancelledKeepsAmounts = true;
    fixture.chain.mine({ rows: saleRows(3), version: [1, 0, 0], stage: 4, allocates: true });
    const snapshot = await fixture.read();
    expect(snapshot).toMatchObject({ stage: "settlement" });
    expect(snapshot?.warning()).toBeUndefined();
    fixture.chain.mine({ stage: 5 });
    expect(await fixture.read()).toMatchObject({ stage: "done" });
  });

  it("isn't asked for with each block", async () => {
    await using fixture = await readSale(3);
    // The first read after a sweep asks again for what one URL says is absent.
    fixture.chain.mine();
    await fixture.read();
    fixture.chain.put(0, raised(saleRow(1), 3n));
    const before = fixture.node.requests.length;
    expect(await fixture.read()).toMatchObject({ kind: "partial" });
    expect(
      fixture.node.requests
        .slice(before)
        .map(({ params }) => JSON.stringify(params))
        .join(),
    ).not.toContain("0x54fd4d50");
  });
});

describe("a fault", () => {
  it("names an address without a contract", async () => {
    await using fixture = await ReaderFixture.start();
    const nothing = { kind: "result", result: "0x" } as const;
    fixture.node.behaviour.interfere = ({ method, functionName }) =>
      functionName !== undefined || method === "eth_getCode" ? nothing : undefined;
    await expect(fixture.read(), "while code finds one there").rejects.toMatchObject({
      remedy: "mend",
      message: expect.stringContaining("sale contract"),
    });
    fixture.node.behaviour.interfere = ({ method, functionName, params: [call] }) => {
      if (JSON.stringify(call).includes("3b60005260206000f3")) return { kind: "result", result: `0x${"0".repeat(64)}` };
      return functionName !== undefined || method === "eth_getCode" ? nothing : undefined;
    };
    await expect(fixture.read()).rejects.toMatchObject({
      remedy: "mend",
      message: expect.stringContaining("no contract at"),
    });
  });

  it("names a contract without the interface", async () => {
    await using fixture = await ReaderFixture.start({ absentFunctions: new Set(["numCommitments"]) });
    await expect(fixture.read()).rejects.toMatchObject({
      remedy: "mend",
      message: expect.stringContaining("not a sale contract"),
    });
  });

  it("names a contract with too many commitments, and reads none of them", async () => {
    await using fixture = await ReaderFixture.start({}, { maxCommitments: 3 });
    fixture.chain.mine({ rows: saleRows(4) });
    await expect(fixture.read()).rejects.toMatchObject({
      remedy: "mend",
      message: expect.stringContaining("it has 4 commitments; no more than 3 are read"),
    });
    expect(fixture.node.requests.map(({ functionName }) => functionName)).not.toContain("readCommitmentDataIn");
    fixture.chain.mine({ rows: saleRows(3) });
    await fixture.read();
    expectUpToDate(fixture);
  });

  it("names a node that is behind the last read", async () => {
    await using fixture = await readSale(5);
    fixture.store.position = { height: 50n, hash: "0".repeat(64) };
    await expect(fixture.read()).rejects.toMatchObject({
      remedy: "wait",
      message: expect.stringContaining("behind block 50"),
    });
  });
});
