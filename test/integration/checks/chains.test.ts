import { expect, it, onTestFinished } from "vitest";
import type { Chain } from "../../../common/chains/base/chain.ts";
import { chainsProbe } from "../../../common/chains/chains-probe.ts";
import { runProbes } from "../../../common/platform/checks/run-probes.ts";
import { startAnvil } from "../../support/chains/anvil.ts";
import { FakeEvmChain } from "../../support/chains/evm-chain.ts";
import { blockTime, CHAIN_ID, EvmNode, type NodeBehaviour } from "../../support/chains/evm-node.ts";
import { evmChain } from "../../support/chains/evm-reader-fixture.ts";
import { SvmNode, slotTime } from "../../support/chains/svm-node.ts";
import { SVM_SALE_UUID, svmChain } from "../../support/chains/svm-reader-fixture.ts";
import { svmAddress } from "../../support/chains/svm-sale.ts";
import { freePort } from "../../support/processes/free-port.ts";

async function check(chains: readonly Chain[], nowSeconds: bigint) {
  const nowMs = () => Number(nowSeconds) * 1_000;
  const findings = await runProbes([chainsProbe(() => chains)], { nowMs });
  return findings.map(({ level, subject, text }) => `${level} ${subject}: ${text}`);
}

const hostOf = (url: string) => new URL(url).host;

async function startNode(behaviour: Partial<NodeBehaviour> = {}, blocks = 0): Promise<EvmNode> {
  const chain = new FakeEvmChain();
  for (let block = 0; block < blocks; block += 1) chain.mine();
  const node = await EvmNode.start(chain, behaviour);
  onTestFinished(() => node[Symbol.asyncDispose]());
  return node;
}

it("asks each EVM node for its chain and its head, and shows nothing of a URL but its host", async () => {
  const right = await startNode({}, 3);
  const stranger = await startNode({ chainId: CHAIN_ID + 1 });
  const closed = `http://127.0.0.1:${await freePort()}`;
  const urls = [right.url, stranger.url, closed].map((url) => `${url}/secret-key`);
  expect(await check([evmChain(urls)], blockTime(3n))).toEqual([
    `ok chain fake, ${hostOf(right.url)}: is of this chain, and at block 3`,
    expect.stringMatching(
      `^failed chain fake, ${hostOf(stranger.url)}: .* its chain ID is ${CHAIN_ID + 1}, not ${CHAIN_ID}`,
    ),
    expect.stringMatching(`^warning chain fake, ${hostOf(closed)}: .*can't be reached.*; others of the chain answer$`),
  ]);
  expect((await check([evmChain(urls.slice(0, 1))], blockTime(3n) + 3_600n))[0]).toMatch(
    /^warning .*its newest block is 3600 s old/,
  );
  expect((await check([evmChain(urls.slice(2))], 0n))[0]).toMatch(/^failed /);
});

it("asks by WebSocket, too", async () => {
  const anvil = await startAnvil();
  onTestFinished(() => anvil.stop());
  // A young chain's first block is asked, and anvil gives calls at it another time.
  await fetch(anvil.url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "anvil_mine", params: ["0x40"] }),
  });
  const closed = `ws://127.0.0.1:${await freePort()}`;
  const nowSeconds = BigInt(Math.floor(Date.parse("2026-01-31T12:02:00Z") / 1_000));
  const checked = (webSocketUrl: string, chainId = anvil.chainId) =>
    check([evmChain([anvil.url], { webSocketUrl, chainId })], nowSeconds);
  const [read, announces] = await checked(anvil.wsUrl);
  expect(read).toMatch(/^ok chain fake, .*: is of this chain, and at block \d+$/);
  expect(announces).toBe(`ok chain fake, ${hostOf(anvil.wsUrl)}: answers by WebSocket, and is of this chain`);
  expect((await checked(closed))[1]).toMatch(/^warning .*: no WebSocket connection can be opened; /);
  const [, other] = await checked(anvil.wsUrl, 5);
  expect(other).toMatch(/^failed .*its chain ID is \d+, not 5/);
});

it("asks each Solana node for its cluster, its slot and its clock", async () => {
  const node = await SvmNode.start(SVM_SALE_UUID);
  onTestFinished(() => node.stop());
  const { genesisHash } = node;
  const now = slotTime(100n);
  const host = hostOf(node.url);
  expect(await check([svmChain(node, { genesisHash })], now)).toEqual([
    `ok chain solana, ${host}: is of this chain, and at slot 100`,
  ]);
  expect((await check([svmChain(node)], now + 301n))[0]).toMatch(/^warning .*its newest slot is 301 s old/);
  expect((await check([svmChain(node, { genesisHash: svmAddress("another") })], now))[0]).toMatch(
    /^failed .*genesis hash is .*: set the URL of a node of the right cluster/,
  );
});

it("says that there are no chains", async () => {
  expect(await check([], 0n)).toEqual(["ok chains: there are none, as CHAINS isn't set"]);
});
