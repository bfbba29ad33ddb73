import type { Hex } from "viem";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ChainConnections } from "../../../common/contracts/connecting/chain-connections.ts";
import { Random } from "../../../services/demo/bidders/random.ts";
import { findAnvil } from "../../../services/demo/chain/find-anvil.ts";
import { type Anvil, startAnvil } from "../../support/chains/anvil.ts";
import { evmChain } from "../../support/chains/evm-reader-fixture.ts";
import { LyingProxy, type LyingProxyOptions } from "../../support/chains/lying-proxy.ts";
import { deployAuctionSale } from "../../support/chains/sale-contract.ts";
import { TestChain } from "../../support/chains/test-chain.ts";

const signal = new AbortController().signal;
/** More than a probe looks back. */
const BLOCKS = 40;

describe.skipIf(findAnvil() === undefined)("what a node must prove (anvil)", () => {
  const stack = new AsyncDisposableStack();
  let anvil: Anvil;
  let chain: TestChain;
  let sale: string;

  beforeAll(async () => {
    anvil = await startAnvil();
    stack.defer(() => anvil.stop());
    chain = await TestChain.connect(anvil);
    sale = await deployAuctionSale(chain);
    // In seconds of their own, as those of a real chain.
    await chain.client.mine({ blocks: BLOCKS, interval: 12 });
  });
  afterAll(() => stack.disposeAsync());

  async function behind(change: LyingProxyOptions["change"]): Promise<string> {
    const options = change === undefined ? {} : { change };
    return stack.use(await LyingProxy.start({ target: anvil.url, random: new Random(1), ...options })).url;
  }

  async function connected(...urls: readonly string[]) {
    const connections = await ChainConnections.open([evmChain(urls, { chainId: anvil.chainId })]);
    stack.defer(() => connections.close());
    return connections.get("fake");
  }

  it("is the block of a call: a node that answers at the newest one isn't used, and says why", async () => {
    const deaf = await behind((call) =>
      call.method === "eth_call" ? { ...call, params: [call.params[0], "latest"] } : call,
    );
    const alone = await connected(deaf);
    const { readable, problems } = await alone.check({ address: sale }, signal);
    expect(readable).toBe(false);
    expect(problems).toEqual([
      `${new URL(deaf).host}: it answers a call at a block hash that doesn't exist, so its answers may be about any block: set the URL of a node that keeps to the block that a call names`,
    ]);
    const beside = await connected(deaf, await behind(undefined));
    await expect(beside.check({ address: sale }, signal)).resolves.toMatchObject({ readable: true });
  });

  it("is the block of a call by number too, where hashes are refused", async () => {
    const deaf = await behind((call) => {
      const isCall = call.method === "eth_call";
      return isCall && typeof call.params[1] === "string" ? { ...call, params: [call.params[0], "latest"] } : call;
    });
    const { problems } = await (await connected(deaf)).check({ address: sale }, signal);
    expect(problems[0]).toMatch(/it answers a call at block \d+, of time \d+, with time \d+, so its answers may be/);
  });

  it.each<[string, Hex]>([
    ["InvalidFEOpcode", "0x60fe6000526001601ff3"],
    ["OpcodeNotFound", "0x600c6000526001601ff3"],
    ["StackUnderflow", "0x60016000526001601ff3"],
    ["InvalidJump", "0x626000566000526003601df3"],
  ])("isn't what a contract does: one that halts with %s is at fault itself", async (_, code) => {
    const address = await chain.deploy(code);
    const connection = await connected(anvil.url);
    const { problems } = await connection.check({ address }, signal);
    expect(problems).toEqual([
      expect.stringContaining(`the contract at ${address.toLowerCase()} is not a sale contract`),
    ]);
    await expect(connection.checkTokens([address], signal)).resolves.toMatchObject([
      { problem: expect.stringContaining("says its decimals()") },
    ]);
    const digest = `0x${"1".repeat(64)}`;
    const signature = { account: address, digest, signature: `0x${"2".repeat(130)}` };
    await expect(connection.checkAccountSignature?.(signature, signal)).resolves.toEqual({
      valid: false,
      hasCode: true,
    });
  });
});
