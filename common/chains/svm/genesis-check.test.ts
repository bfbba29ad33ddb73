import { describe, expect, it } from "vitest";
import { SourceFault } from "../base/source-fault.ts";
import { GenesisCheck } from "./genesis-check.ts";

const RIGHT = "5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d";
const OTHER = "EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG";

/** A node that gives these answers in turn, and how many were asked for. */
function node(...answers: readonly object[]) {
  const asked: unknown[] = [];
  const ask = async (request: unknown) => answers[asked.push(request) - 1] ?? {};
  return { asked, ask };
}

describe("the check of a node's cluster", () => {
  it("asks a node of the right one once", async () => {
    const { asked, ask } = node({ result: RIGHT });
    const check = new GenesisCheck(RIGHT);
    await check.pass("node.test", ask);
    await check.pass("node.test", ask);
    expect(asked).toEqual([expect.objectContaining({ method: "getGenesisHash" })]);
  });

  it("asks again where that is asked for, and from then on until the node is right", async () => {
    const { asked, ask } = node({ result: RIGHT }, { result: OTHER }, { result: OTHER }, { result: RIGHT });
    const check = new GenesisCheck(RIGHT);
    await check.pass("node.test", ask);
    await expect(check.again("node.test", ask)).rejects.toThrow(`genesis hash is ${OTHER}`);
    await expect(check.pass("node.test", ask)).rejects.toThrow(`genesis hash is ${OTHER}`);
    await check.pass("node.test", ask);
    expect(asked).toHaveLength(4);
  });

  it("takes nothing back for a question that isn't answered", async () => {
    const { asked, ask } = node({ result: RIGHT }, { error: { code: -32_005, message: "" } });
    const check = new GenesisCheck(RIGHT);
    await check.pass("node.test", ask);
    await expect(check.again("node.test", ask)).rejects.toThrow("lags behind the chain");
    await check.pass("node.test", ask);
    expect(asked).toHaveLength(2);
  });

  it("asks nothing if no cluster is configured", async () => {
    const { asked, ask } = node({ result: OTHER });
    await new GenesisCheck(undefined).pass("node.test", ask);
    expect(asked).toEqual([]);
  });

  it.each([
    ["another cluster", { result: OTHER }, "mend", `genesis hash is ${OTHER}, not ${RIGHT}: set the URL of a node`],
    ["no hash", { result: "key abc" }, "mend", `genesis hash is nothing readable, not ${RIGHT}`],
    ["an error", { error: { code: -32_005, message: "key abc" } }, "wait", "lags behind the chain"],
  ])("refuses a node that answers %s, and asks it again", async (_, answer, remedy, text) => {
    const check = new GenesisCheck(RIGHT);
    const { asked, ask } = node(answer, { result: RIGHT });
    const refused = check.pass("node.test", ask);
    await expect(refused).rejects.toThrow(SourceFault);
    await expect(refused).rejects.toMatchObject({ remedy, message: expect.stringContaining(text) });
    await expect(refused).rejects.not.toThrow("key abc");
    await check.pass("node.test", ask);
    expect(asked).toHaveLength(2);
  });
});
