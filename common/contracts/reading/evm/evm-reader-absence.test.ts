import { describe, expect, it } from "vitest";
import { rowLog, saleRow, saleRows } from "../../../../test/support/chains/evm-chain.ts";
import type { EvmNode, Interference } from "../../../../test/support/chains/evm-node.ts";
import { expectUpToDate, ReaderFixture } from "../../../../test/support/chains/evm-reader-fixture.ts";
import { SourceFault } from "../../../chains/base/source-fault.ts";

const REVERT: Interference = { kind: "error", code: 3, message: "execution reverted" };
const FAILURE: Interference = { kind: "error", code: -32000, message: "try again" };
const VERSION_2: Interference = {
  kind: "result",
  result: `0x${[2, 0, 0].map((part) => part.toString(16).padStart(64, "0")).join("")}`,
};
const OPTIONAL = ["stage", "version", "saleUUID", "totalCommittedAmountByToken"];
const CONTROL = "60326000396000600061";

/** Makes a node refuse a function that the contract has. Within another call, it is answered. */
function refuse(node: EvmNode, name: string): void {
  node.behaviour.interfere = ({ functionName }) => (functionName === name ? REVERT : undefined);
}

function controls(node: EvmNode): number {
  return node.requests.filter(({ params: [call] }) => JSON.stringify(call ?? "").includes(CONTROL)).length;
}

/** Mines a sale of version 1, whose stage 2 is another one than that of version 2, and reads it. */
async function readVersion1(fixture: ReaderFixture) {
  const rows = saleRows(3);
  fixture.chain.mine(
    { rows, version: [1, 0, 0], stage: 2 },
    rows.map((row) => rowLog(row)),
  );
  return fixture.read();
}

describe("a revert of one URL", () => {
  it.each(OPTIONAL)("doesn't make %s() absent where another URL answers it", async (name) => {
    await using fixture = await ReaderFixture.startTwo();
    refuse(fixture.node, name);
    expect(await readVersion1(fixture)).toMatchObject({ stage: "closed" });
    expectUpToDate(fixture);
    fixture.chain.put(1, saleRow(2, { priceTicks: 50n }));
    expect(await fixture.read(), "totals are known, so logs are enough").toMatchObject({ kind: "partial" });
  });

  it.each(OPTIONAL)(
    "makes a read late, and none wrong, where %s() works within another call of the only one",
    async (name) => {
      await using fixture = await ReaderFixture.start();
      refuse(fixture.node, name);
      const fault = { name: "SourceFault", remedy: "wait", message: expect.stringContaining("nothing else shows yet") };
      await expect(readVersion1(fixture)).rejects.toMatchObject(fault);
      expect(fixture.store.position).toBeUndefined();
      fixture.node.behaviour.interfere = () => undefined;
      expect(await fixture.read()).toMatchObject({ stage: "closed" });
      expectUpToDate(fixture);
    },
  );
});

describe("a function that a contract doesn't have", () => {
  it("is asked for once more of another URL, and then no more", async () => {
    const absent = { absentFunctions: new Set(["stage"]) };
    await using fixture = await ReaderFixture.startTwo(absent, absent);
    await readVersion1(fixture);
    expectUpToDate(fixture);
    expect(controls(fixture.node)).toBe(0);
    const before = fixture.other?.count("eth_call");
    fixture.chain.mine();
    await fixture.read();
    expect(fixture.other?.count("eth_call")).toBe(before);
  });

  it("is asked for within another call at two reads of the only URL, and then no more", async () => {
    await using fixture = await ReaderFixture.start({ absentFunctions: new Set(["stage", "version", "saleUUID"]) });
    await readVersion1(fixture);
    const counts = [controls(fixture.node)];
    for (let read = 0; read < 3; read += 1) {
      fixture.chain.mine();
      expect(await fixture.read()).toMatchObject({ kind: "partial" });
      counts.push(controls(fixture.node));
    }
    expectUpToDate(fixture);
    expect(counts).toEqual([3, 6, 6, 6]);
  });

  it("counts once it answers, with the next read and not the next sweep", async () => {
    await using fixture = await ReaderFixture.start({ absentFunctions: new Set(["version"]) });
    expect(await readVersion1(fixture)).toMatchObject({ stage: "cancellation" });
    fixture.node.behaviour.absentFunctions = new Set();
    fixture.chain.mine();
    expect(await fixture.read()).toMatchObject({ kind: "partial", stage: "closed" });
  });

  it("is asked for again after a read that failed, whose answer isn't known to be of the block", async () => {
    await using fixture = await ReaderFixture.start({ absentFunctions: new Set(["version"]) });
    await readVersion1(fixture);
    const { behaviour } = fixture.node;
    behaviour.absentFunctions = new Set();
    behaviour.interfere = ({ functionName }) => {
      if (functionName === "version") return VERSION_2;
      return functionName === "readCommitmentDataIn" ? FAILURE : undefined;
    };
    fixture.chain.put(1, saleRow(2, { priceTicks: 50n }));
    await expect(fixture.read()).rejects.toThrow(SourceFault);
    behaviour.interfere = () => undefined;
    expect(await fixture.read()).toMatchObject({ kind: "partial", stage: "closed" });
    expectUpToDate(fixture);
  });

  it("counts as absent at the third read of a node that makes no other calls", async () => {
    await using fixture = await ReaderFixture.start({ absentFunctions: new Set(["stage"]), refusesDeployless: true });
    await expect(readVersion1(fixture)).rejects.toThrow(SourceFault);
    await expect(fixture.read()).rejects.toThrow(SourceFault);
    expect(await fixture.read()).not.toHaveProperty("stage");
    expectUpToDate(fixture);
  });
});

describe("no code at an address", () => {
  it("isn't believed of one URL while another one has it", async () => {
    await using fixture = await ReaderFixture.startTwo();
    for (const node of [fixture.node, fixture.other as EvmNode]) refuse(node, "numCommitments");
    const { interfere } = fixture.node.behaviour;
    fixture.node.behaviour.interfere = (request, honest) =>
      request.method === "eth_getCode" ? { kind: "result", result: "0x" } : interfere(request, honest);
    await expect(fixture.read()).rejects.toThrow("is not a sale contract");
  });
});
