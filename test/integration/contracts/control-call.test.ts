import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { controlCall, saysFailed } from "../../../common/chains/evm/control-call.ts";
import { findAnvil } from "../../../services/demo/chain/find-anvil.ts";
import { type Anvil, startAnvil } from "../../support/chains/anvil.ts";
import { TestChain } from "../../support/chains/test-chain.ts";

/** Code that answers with 32 bytes. */
const ANSWERING = "0x60206000f3";
/** Code that reverts. */
const REVERTING = "0x60006000fd";
const INVALID = "0xfe";

describe.skipIf(findAnvil() === undefined)("a control call (anvil)", () => {
  let anvil: Anvil;
  let chain: TestChain;
  beforeAll(async () => {
    anvil = await startAnvil();
    chain = await TestChain.connect(anvil);
  });
  afterAll(() => anvil?.stop());

  async function controlled(call: object): Promise<unknown> {
    const params = controlCall([call, "latest"]);
    return chain.client.request<{ Method: string; Parameters: unknown; ReturnType: unknown }>({
      method: "eth_call",
      params,
    });
  }

  it.each([
    [ANSWERING, false],
    [REVERTING, true],
    [INVALID, true],
  ])("says of the code %s whether it fails: %s", async (data, fails) => {
    const answer = await controlled({ data });
    expect(saysFailed(answer)).toBe(fails);
    expect(answer).toMatch(/^0x0{63}[01]$/);
  });

  it.each([
    [ANSWERING, false],
    [REVERTING, true],
  ])("says of a contract with the code %s whether it fails: %s", async (code, fails) => {
    const to = `0x${"c0".repeat(20)}` as const;
    await chain.client.setCode({ address: to, bytecode: code as `0x${string}` });
    expect(saysFailed(await controlled({ to, data: "0x" }))).toBe(fails);
  });
});
