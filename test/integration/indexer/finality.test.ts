import { type Client, createClient } from "@connectrpc/connect";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ChainConnections } from "../../../common/contracts/connecting/chain-connections.ts";
import { bytesOfHex } from "../../../common/platform/encoding/hex.ts";
import { routerTransport } from "../../../common/platform/rpc/testing/router-transport.ts";
import { IndexerService } from "../../../proto/gen/tidemark/indexer/v1/indexer_service_pb.ts";
import { checkFinality, finalityChecks } from "../../../services/indexer/rpc/check-finality.ts";
import { ALLOWED_CALLERS } from "../../../services/indexer/rpc/routes.ts";
import { FakeEvmChain } from "../../support/chains/evm-chain.ts";
import { CHAIN_ID, EvmNode } from "../../support/chains/evm-node.ts";
import { evmChain } from "../../support/chains/evm-reader-fixture.ts";

const chain = new FakeEvmChain();
let node: EvmNode;
let connections: ChainConnections;
let indexer: Client<typeof IndexerService>;

beforeAll(async () => {
  for (let number = 1; number <= 10; number += 1) chain.mine();
  node = await EvmNode.start(chain);
  connections = await ChainConnections.open([evmChain([node.url], { chainId: CHAIN_ID })]);
  indexer = clientOf("gateway");
});
afterAll(async () => {
  await connections.close();
  await node[Symbol.asyncDispose]();
});

function clientOf(caller: string): Client<typeof IndexerService> {
  const methods = { checkFinality: checkFinality(connections, finalityChecks(connections)) };
  const routes = {
    routes: ({ service }: Parameters<Parameters<typeof routerTransport>[0]["routes"]>[0]) =>
      void service(IndexerService, methods),
  };
  return createClient(IndexerService, routerTransport({ ...routes, allowed: ALLOWED_CALLERS, caller }));
}

function check(height: bigint, hash = chain.at(height)?.hash ?? "", name = connections.names()[0] ?? "") {
  return indexer.checkFinality({ chain: name, position: { height, hash: new Uint8Array(bytesOfHex(hash)) } });
}

describe("the check whether a block is final", () => {
  it("says what the chain's node says", async () => {
    expect((await check(8n)).problem).toBe("");
    expect((await check(9n)).problem).toBe("block 9 isn't final yet: the node's last final block is 8");
    expect((await check(7n, "12".repeat(32))).problem).toMatch(/^the node's chain has another block 7: 0x/);
  });

  it("doesn't keep that a block isn't final", async () => {
    expect((await check(9n)).problem).not.toBe("");
    chain.mine();
    expect((await check(9n)).problem).toBe("");
  });

  it("is for gateways, and for configured chains", async () => {
    await expect(check(8n, undefined, "elsewhere")).rejects.toThrow("chain elsewhere isn't configured");
    await expect(clientOf("entities").checkFinality({ chain: "local", position: { height: 1n } })).rejects.toThrow(
      "permission_denied",
    );
  });
});
