import { randomInt } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Random } from "../../services/demo/bidders/random.ts";
import { findAnvil } from "../../services/demo/chain/find-anvil.ts";
import { ContractBidders } from "../faults/support/contract-bidders.ts";
import { runUntilDone } from "../faults/support/run-until-done.ts";
import { StreamFollower } from "../faults/support/stream-follower.ts";
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
import { openedSale } from "../support/sales/sale-messages.ts";
import { startDeployment } from "./support/deployment.ts";
import { Load } from "./support/load.ts";
import { findPreviousVersion, layOutVersion } from "./support/previous-version.ts";

const SEED = Number(process.env["FAULT_SEED"] ?? randomInt(2 ** 31));
const REPLICAS = 2;
const READERS = 4;
const STREAMS = 10;
const FIRST_BIDDERS = 20;

const missing = ["mariadbd", "nats-server"].filter((name) => findProgram(name) === undefined);
if (findAnvil() === undefined) missing.push("anvil");
const previous = findPreviousVersion();
if ("missing" in previous) missing.push(previous.missing);
const [from, commit] = "missing" in previous ? ["the version before", ""] : [previous.name, previous.commit];

let stack: AsyncDisposableStack;
beforeEach(() => {
  stack = new AsyncDisposableStack();
});
afterEach(() => stack.disposeAsync());

describe.skipIf(missing.length > 0)(`a rolling upgrade (${missing.join(", ") || "nothing is missing"})`, () => {
  it(`from ${from} to this version and back fails no request twice, and loses no update and no session (FAULT_SEED=${SEED})`, async () => {
    const before = await layOutVersion(commit, stack);
    const deployment = await startDeployment(stack, { root: before, replicas: REPLICAS });
    const { commitments, auth, indexer, entities, gateway, clients } = deployment;
    const saleUuid = await openedSale(clients);
    const chain = await TestChain.connect(deployment.anvil);
    const contract = await deployAuctionSale(chain);
    const chainSaleUuid = await openChainSale(clients, contract, CONTRACT_SALE_UUID);
    const bidders = new ContractBidders(chain, contract, new Random(SEED));
    await bidders.joinFirst(FIRST_BIDDERS);
    await chain.mine();

    const load = new Load(deployment, saleUuid);
    const [signedIn, ownSession] = [await load.signIn(), await load.signIn()];
    const streamUrl = `${gateway.url}/svc/v1/public/sales/${saleUuid}/commitment-data/stream`;
    const followers = Array.from({ length: STREAMS }, () => new StreamFollower(() => streamUrl));
    const work = [
      ...Array.from({ length: READERS }, () => load.reader),
      load.writer,
      load.newcomer,
      load.keepSession(signedIn),
      load.bidding(bidders, chain),
    ];
    await runUntilDone(
      async () => {
        await runUntilDone(async () => {
          const components = [commitments, auth, indexer, entities, gateway];
          await deployment.migrate(REPOSITORY_ROOT);
          for (const component of components) {
            await component.roll(REPOSITORY_ROOT);
            // A component that the version before doesn't have comes with this one.
            await component.scale(REPLICAS, REPOSITORY_ROOT);
          }
          await entities.oldest.as("operator").permits.listKeys({ saleUuid });
          // The tables stay as they are. The callers go back before those whom they call.
          for (const component of components.toReversed()) await component.roll(before);
        }, work);
        const { revision } = await clients.commitments.getCommitmentData({ saleUuid });
        await expect
          .poll(() => followers.map((follower) => follower.revision), SOON)
          .toEqual(followers.map(() => revision));
      },
      followers.map((follower) => (over) => follower.follow(over)),
    );
    console.log(`FAULT_SEED=${SEED}: ${load.summary}; ${sum(followers)} streams ended`);

    expect(sum(followers)).toBeGreaterThan(0);
    const { data } = await clients.commitments.getCommitmentData({ saleUuid });
    expect(data).toMatchObject({ totalAmount: load.appliedTotal, commitmentCount: BigInt(load.applies.done) });
    expect((await ownSession.open("/account")).path).toBe("/account");
    await chain.mine();
    const height = await chain.client.getBlockNumber({ cacheTime: 0 });
    await untilReadTo(clients, chainSaleUuid, height);
    expect(await storedRows(clients, chainSaleUuid)).toEqual(
      directRows(await readDirect(chain.client, contract, height)),
    );
  });
});

/** The number of streams that have ended. */
function sum(followers: readonly StreamFollower[]): number {
  return followers.reduce((total, { ended }) => total + ended, 0);
}
