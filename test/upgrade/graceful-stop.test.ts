import { randomBytes, randomUUID } from "node:crypto";
import { once } from "node:events";
import { Agent } from "node:http";
import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { StreamReader } from "../../gateway/testing/stream-reader.ts";
import { Random } from "../../services/demo/bidders/random.ts";
import { findAnvil } from "../../services/demo/chain/find-anvil.ts";
import { ContractBidders } from "../faults/support/contract-bidders.ts";
import { runUntilDone, type Task } from "../faults/support/run-until-done.ts";
import {
  CONTRACT_SALE_UUID,
  directRows,
  openChainSale,
  storedRows,
  untilReadTo,
} from "../support/chains/chain-sale.ts";
import { deployAuctionSale, readDirect } from "../support/chains/sale-contract.ts";
import { TestChain } from "../support/chains/test-chain.ts";
import { findProgram } from "../support/processes/program.ts";
import { SOON } from "../support/repository/polling.ts";
import { REPOSITORY_ROOT } from "../support/repository/repository.ts";
import { openedSale, record } from "../support/sales/sale-messages.ts";
import { type Deployment, startDeployment } from "./support/deployment.ts";
import { CALLERS, DirectCallers, isAnswered } from "./support/direct-callers.ts";
import { type HeldCalls, holdBodies, holdByPausing } from "./support/held-calls.ts";
import { type CallEnd, postJson } from "./support/http-call.ts";
import { Load } from "./support/load.ts";
import type { Replica, Replicas } from "./support/replicas.ts";

/** The grace period that docs/operating.md demands, and the drain delay of the deployment. */
const GRACE_MS = 46_000;
const READERS = 4;
const STREAMS = 10;
const FIRST_BIDDERS = 20;
const HELD = 8;
/** The number of the commitment that each held apply adds. Those of the callers begin at 0. */
const HELD_NUMBER = 1_000_000;
/** The least number of answered calls before a process is stopped. */
const WARM = 100;

const missing = ["mariadbd", "nats-server"].filter((name) => findProgram(name) === undefined);
if (findAnvil() === undefined) missing.push("anvil");

describe.skipIf(missing.length > 0)(
  `a graceful stop under load (${missing.join(", ") || "nothing is missing"})`,
  () => {
    const stack = new AsyncDisposableStack();
    let deployment: Deployment;
    let saleUuid: string;
    let chain: TestChain;
    let contract: `0x${string}`;
    let work: (load: Load) => Promise<Task[]>;

    beforeAll(async () => {
      deployment = await startDeployment(stack);
      const { clients } = deployment;
      saleUuid = await openedSale(clients);
      chain = await TestChain.connect(deployment.anvil);
      contract = await deployAuctionSale(chain);
      await openChainSale(clients, contract, CONTRACT_SALE_UUID);
      const bidders = new ContractBidders(chain, contract, new Random(1));
      await bidders.joinFirst(FIRST_BIDDERS);
      work = async (load) => [
        ...Array.from({ length: READERS }, () => load.reader),
        load.newcomer,
        load.keepSession(await load.signIn()),
        load.bidding(bidders, chain),
      ];
    });
    afterAll(() => stack.disposeAsync());

    /**
     * Stops the oldest replica of a component while it is called directly and all components are called through their balancers.
     * Some calls are held back until the replica accepts no more connections.
     */
    async function stopUnderLoad<Each extends Replica>(
      component: Replicas<Each>,
      callers: DirectCallers,
      hold: () => HeldCalls | Promise<HeldCalls>,
      streams: readonly Promise<unknown>[] = [],
    ): Promise<void> {
      await component.scale(2, REPOSITORY_ROOT);
      const load = new Load(deployment, saleUuid);
      const stop = async () => {
        await expect.poll(() => callers.answered, SOON).toBeGreaterThan(WARM);
        const { oldest } = component;
        const held = await hold();
        const begin = performance.now();
        const retired = component.retire(oldest);
        await expect.poll(() => isListening(oldest.url), SOON).toBe(false);
        held.release();
        await Promise.all(held.answers);
        await retired;
        expect(performance.now() - begin).toBeLessThan(GRACE_MS);
        await Promise.all(streams);
      };
      await runUntilDone(stop, [...(await work(load)), callers.task]);
      console.log(`${callers.answered} calls answered directly; ${load.summary}`);
    }

    it("of a gateway answers all accepted requests, asks clients to close connections, and gives streams a time to reconnect", async () => {
      const { gateway } = deployment;
      const url = `${gateway.oldest.url}/svc/v1/public`;
      const ends: CallEnd[] = [];
      const agents = new Map<number, Agent>();
      const callers = new DirectCallers(async (_, caller) => {
        const agent = agents.get(caller) ?? new Agent({ keepAlive: true, maxSockets: 1 });
        agents.set(caller, agent);
        const end = await postJson(`${url}/read-commitment-data`, { SaleUUID: saleUuid }, agent);
        ends.push(end);
        return end === "answered";
      });
      const hold = () => holdBodies(`${url}/read-commitment-data`, Array(HELD).fill({ SaleUUID: saleUuid }));
      const streamUrl = `${url}/sales/${saleUuid}/commitment-data/stream`;
      const readers = await Promise.all(Array.from({ length: STREAMS }, () => StreamReader.open(streamUrl)));
      const retries = readers.map(lastRetry);
      await stopUnderLoad(gateway, callers, hold, retries);
      for (const retry of retries) expect(await retry).toBeGreaterThanOrEqual(2_000);
      expect(ends).not.toContain("raced");
    });

    it("of a commitments service answers every apply that it carries out, and ends its streams with unavailable", async () => {
      const { commitments, mariaDb } = deployment;
      const { commitments: client } = commitments.oldest;
      const sales = await Promise.all(Array.from({ length: CALLERS }, () => openedSale(deployment.clients)));
      const apply = (own: string, number: number) =>
        client.applyCommitments({ saleUuid: own, requestId: randomUUID(), upserts: [record(number)] });
      const callers = new DirectCallers((number, caller) => isAnswered(apply(sales[caller] ?? "", number)));
      const hold = () => holdByPausing(mariaDb.pid, () => sales.map((own) => apply(own, HELD_NUMBER)));
      const streams = Array.from({ length: STREAMS }, () =>
        isAnswered(Array.fromAsync(client.watchCommitmentData({ saleUuid }))),
      );
      await stopUnderLoad(commitments, callers, hold, streams);
      expect(await Promise.all(streams)).toEqual(streams.map(() => false));
      const stored = await Promise.all(
        sales.map((each) => deployment.clients.commitments.getCommitmentData({ saleUuid: each })),
      );
      expect(stored.reduce((sum, { data }) => sum + Number(data?.commitmentCount), 0)).toBe(
        callers.answered + sales.length,
      );
    });

    it("of an auth service answers every call that has sent its mail", async () => {
      const { auth, mariaDb, smtp } = deployment;
      const { accounts } = auth.oldest.as("gateway");
      const domain = `${randomUUID()}.example`;
      const browserToken = randomBytes(32).toString("base64url");
      const peer = { address: "192.0.2.1" };
      const begin = (name: string) => accounts.beginSignIn({ email: `${name}@${domain}`, browserToken, peer });
      const callers = new DirectCallers((number, caller) => isAnswered(begin(`${caller}-${number}`)));
      const hold = () =>
        holdByPausing(mariaDb.pid, () => Array.from({ length: HELD }, (_, number) => begin(`held-${number}`)));
      await stopUnderLoad(auth, callers, hold);
      const sent = smtp.mails.filter(({ recipients }) => recipients.some((recipient) => recipient.endsWith(domain)));
      expect(sent).toHaveLength(callers.answered + HELD);
    });

    it("of an entities service answers all calls", async () => {
      const { entities, mariaDb } = deployment;
      const { permits } = entities.oldest.as("operator");
      const list = () => permits.listKeys({ saleUuid });
      const callers = new DirectCallers(() => isAnswered(list()));
      await stopUnderLoad(entities, callers, () =>
        holdByPausing(mariaDb.pid, () => Array.from({ length: HELD }, list)),
      );
    });

    it("of an indexer answers all calls, and loses no row", async () => {
      const { indexer, anvil, clients } = deployment;
      const client = indexer.oldest.indexer;
      const callers = new DirectCallers((number) =>
        isAnswered(
          number % 2 === 0 ? client.listChains({}) : client.checkSource({ chain: "local", address: contract }),
        ),
      );
      const unknown = Array.from({ length: HELD }, (_, number) => `0x${String(number).repeat(40)}`);
      const hold = () =>
        holdByPausing(anvil.pid, () => unknown.map((address) => client.checkSource({ chain: "local", address })));
      await stopUnderLoad(indexer, callers, hold);
      await chain.mine();
      const height = await chain.client.getBlockNumber({ cacheTime: 0 });
      await untilReadTo(clients, CONTRACT_SALE_UUID, height);
      const expected = directRows(await readDirect(chain.client, contract, height));
      expect(await storedRows(clients, CONTRACT_SALE_UUID)).toEqual(expected);
    });
  },
);

async function isListening(url: string): Promise<boolean> {
  const socket = connect(Number(new URL(url).port), "127.0.0.1");
  try {
    await once(socket, "connect");
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

/** Reads a stream to its end. @returns its last retry time @throws Error if the stream breaks off */
async function lastRetry(stream: StreamReader): Promise<number> {
  let retry: string | undefined;
  for (let part = await stream.part(); part !== undefined; part = await stream.part()) ({ retry } = part);
  return Number(retry);
}
