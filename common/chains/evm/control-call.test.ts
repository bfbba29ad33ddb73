import { describe, expect, it } from "vitest";
import { FakeEvmChain, saleRows } from "../../../test/support/chains/evm-chain.ts";
import { CONTRACT, EvmNode, type NodeBehaviour, type RpcError } from "../../../test/support/chains/evm-node.ts";
import { evmChain, ManualClock } from "../../../test/support/chains/evm-reader-fixture.ts";
import { loadSaleCalls } from "../../contracts/reference/evm/sale-calls.ts";
import { callOrAbsent } from "./call-or-absent.ts";
import { controlCall, saysFailed } from "./control-call.ts";
import { EvmEndpoint } from "./evm-endpoint.ts";
import { PinnedBlock } from "./pinned-block.ts";

const signal = new AbortController().signal;

/** Calls `stage()` of a sale contract. @returns undefined if the contract is to blame, and how often the node was asked */
async function askStage(behaviour: Partial<NodeBehaviour>) {
  const chain = new FakeEvmChain();
  chain.mine({ rows: saleRows(1) });
  await using node = await EvmNode.start(chain, behaviour);
  const endpoint = new EvmEndpoint(evmChain([node.url]), new ManualClock());
  const { stage, numCommitments } = await loadSaleCalls();
  const pinned = new PinnedBlock(endpoint, CONTRACT, chain.head);
  const answer = await callOrAbsent(pinned, stage, signal).then(
    (result) => ({ result }),
    (error: unknown) => ({ error }),
  );
  const asked = node.requests.filter(({ functionName }) => functionName === "stage").length;
  const isFine = (await pinned.call(numCommitments, signal)) === 1n;
  return { ...answer, asked, isFine };
}

const halting = new Set(["stage"]);

describe("a control call", () => {
  it.each<[string, RpcError]>([
    ["an invalid opcode", { code: -32603, message: "EVM error InvalidFEOpcode" }],
    ["an invalid jump", { code: -32603, message: "EVM error InvalidJump" }],
    ["an unknown opcode", { code: -32000, message: "EVM error: OpcodeNotFound" }],
    ["an empty stack", { code: -32603, message: "EVM error StackUnderflow" }],
    ["words of a node to come", { code: -32099, message: "the guest trapped" }],
    ["words of a limit, which the contract chose", { code: -32000, message: "CONTRACT_REVERT: rate limit" }],
    ["words of access, which the contract chose", { code: -32000, message: "halted: forbidden" }],
    ["a code of another failure", { code: -32602, message: "call failed" }],
  ])("shows that the contract is to blame for %s, without another request for it", async (_, halt) => {
    expect(await askStage({ haltingFunctions: halting, halt })).toEqual({ result: undefined, asked: 1, isFine: true });
  });

  it("shows that the node is to blame for a call that would succeed", async () => {
    const interfere: NodeBehaviour["interfere"] = ({ functionName }) =>
      functionName === "stage" ? { kind: "error", code: -32603, message: "EVM error InvalidFEOpcode" } : undefined;
    const { error, isFine } = { error: undefined, ...(await askStage({ interfere })) };
    expect(error).toMatchObject({ kind: "unavailable", isOfNodes: true });
    expect(isFine).toBe(true);
  });

  it.each([-32005, 429])(
    "isn't made for a limit of the node, as the code %i says, which no contract chooses",
    async (code) => {
      let controls = 0;
      const interfere: NodeBehaviour["interfere"] = ({ functionName, isControl, params: [call] }) => {
        if (isControl === true && String((call as { data?: string }).data).includes(CONTRACT.slice(2))) controls += 1;
        return functionName === "stage" ? { kind: "error", code, message: "rate limit" } : undefined;
      };
      await expect(askStage({ interfere })).rejects.toMatchObject({ kind: "rate_limited" });
      expect(controls).toBe(0);
    },
  );

  it("blames no contract where the node refuses it", async () => {
    const { error } = { error: undefined, ...(await askStage({ haltingFunctions: halting, refusesDeployless: true })) };
    expect(error).toMatchObject({ kind: "unavailable" });
  });

  it("is made for calls of contracts and of code, with their gas and block, and not for more data than code may have", () => {
    const call = (data: string) => [{ to: CONTRACT, data, gas: "0x5" }, "0x1"];
    expect(controlCall(call("0x01"))).toMatchObject([{ gas: "0x5" }, "0x1"]);
    expect(controlCall(call("0x01"))?.[0]).not.toHaveProperty("to");
    expect(controlCall(call(`0x${"00".repeat(49_102)}`))).toBeDefined();
    expect(controlCall(call(`0x${"00".repeat(49_103)}`))).toBeUndefined();
    expect(controlCall([{ data: "0x01" }, "latest"])?.[1]).toBe("latest");
    expect(controlCall([{ to: "0x12", data: "0x01" }, "latest"])).toBeUndefined();
    expect(controlCall([{}, "latest"])).toBeUndefined();
    expect(controlCall(["0x1", false])).toBeUndefined();
    expect(controlCall([])).toBeUndefined();
  });

  it.each(["0x", null, `0x${"1".padStart(64, "0")}`, `0x${"0".repeat(128)}`])("says no failure by %s", (answer) => {
    expect(saysFailed(answer)).toBe(false);
  });
});
