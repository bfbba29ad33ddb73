import { type Client, createClient } from "@connectrpc/connect";
import { type Abi, type Address, encodeDeployData, type Hex, hexToBytes } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ChainConnections } from "../../../common/contracts/connecting/chain-connections.ts";
import { routerTransport } from "../../../common/platform/rpc/testing/router-transport.ts";
import { IndexerService } from "../../../proto/gen/tidemark/indexer/v1/indexer_service_pb.ts";
import {
  accountSignatureChecks,
  checkAccountSignature,
} from "../../../services/indexer/rpc/check-account-signature.ts";
import { ALLOWED_CALLERS } from "../../../services/indexer/rpc/routes.ts";
import { smartAccount } from "../../contracts/artefacts/smart-account.ts";
import { type Anvil, startAnvil } from "../../support/chains/anvil.ts";
import { evmChain } from "../../support/chains/evm-reader-fixture.ts";
import { TestChain } from "../../support/chains/test-chain.ts";

const OWNER = privateKeyToAccount(`0x${"0a".repeat(32)}`);
const STRANGER = privateKeyToAccount(`0x${"0b".repeat(32)}`);
const DIGEST: Hex = `0x${"d1".repeat(32)}`;

let anvil: Anvil;
let chain: TestChain;
let connections: ChainConnections;
let indexer: Client<typeof IndexerService>;

/** The indexer's RPC, as the entities service calls it. */
function clientOf(configured: ChainConnections, caller = "entities"): Client<typeof IndexerService> {
  const methods = { checkAccountSignature: checkAccountSignature(configured, accountSignatureChecks(configured)) };
  return createClient(
    IndexerService,
    routerTransport({
      routes: ({ service }) => void service(IndexerService, methods),
      allowed: ALLOWED_CALLERS,
      caller,
    }),
  );
}

beforeAll(async () => {
  anvil = await startAnvil({ mining: "auto" });
  chain = await TestChain.connect(anvil);
  connections = await ChainConnections.open([evmChain([anvil.url], { chainId: anvil.chainId })]);
  indexer = clientOf(connections);
});

afterAll(async () => {
  await connections.close();
  await anvil.stop();
});

/** Deploys an account of `OWNER`. @param behaviour `SmartAccount.Behaviour` */
async function deployed(behaviour = 0): Promise<Address> {
  const { abi, bytecode } = smartAccount as { readonly abi: Abi; readonly bytecode: Hex };
  return chain.deploy(encodeDeployData({ abi, bytecode, args: [OWNER.address, behaviour] }));
}

async function check(account: string, by = OWNER, chainId = BigInt(anvil.chainId)) {
  return checkSignature(account, hexToBytes(await by.sign({ hash: DIGEST })), chainId);
}

async function checkSignature(account: string, bytes: Uint8Array, chainId = BigInt(anvil.chainId)) {
  const request = { chainId, account, digest: hexToBytes(DIGEST), signature: new Uint8Array(bytes) };
  const { valid, hasCode } = await indexer.checkAccountSignature(request);
  return { valid, hasCode };
}

describe("the check of a smart account's signature", () => {
  it("says what the account says", async () => {
    const account = await deployed();
    expect(await check(account)).toEqual({ valid: true, hasCode: true });
    expect(await check(account.toLowerCase(), STRANGER)).toEqual({ valid: false, hasCode: true });
  });

  it("asks with an empty signature an account that has signed on its chain", async () => {
    const account = await deployed(8);
    expect(await checkSignature(account, new Uint8Array())).toEqual({ valid: true, hasCode: true });
    expect(await check(account)).toEqual({ valid: false, hasCode: true });
    expect(await checkSignature(await deployed(), new Uint8Array())).toEqual({ valid: false, hasCode: true });
  });

  it("says that an address has no code", async () => {
    expect(await check(OWNER.address)).toEqual({ valid: false, hasCode: false });
  });

  it.each([
    ["burns its gas", 1],
    ["reverts with the words of a node out of capacity", 2],
    ["answers with the magic value and more", 3],
    ["answers with another word", 4],
    ["answers with the magic value alone", 5],
    ["answers with a megabyte", 6],
    ["answers with nothing", 7],
  ])("takes a contract that %s for a no, and asks its chain on as before", async (_, behaviour) => {
    expect(await check(await deployed(behaviour))).toEqual({ valid: false, hasCode: true });
    expect(await check(await deployed())).toEqual({ valid: true, hasCode: true });
  });

  it("is for configured chains only", async () => {
    await expect(check(OWNER.address, OWNER, 5n)).rejects.toThrow("[not_found] no chain with the ID 5 is configured");
  });

  it("is unavailable while the chain's nodes are", async () => {
    const away = await ChainConnections.open([evmChain(["http://127.0.0.1:1"])]);
    const request = {
      chainId: 31_337n,
      account: OWNER.address,
      digest: hexToBytes(DIGEST),
      signature: new Uint8Array(65),
    };
    await expect(clientOf(away).checkAccountSignature(request)).rejects.toThrow("[unavailable] 127.0.0.1:1");
    await away.close();
  });

  it("is for the entities service alone", async () => {
    const request = { chainId: 1n, account: OWNER.address, digest: hexToBytes(DIGEST), signature: new Uint8Array(65) };
    await expect(clientOf(connections, "gateway").checkAccountSignature(request)).rejects.toThrow(
      "[permission_denied]",
    );
  });
});
