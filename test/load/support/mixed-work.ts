import { StreamReader } from "../../../gateway/testing/stream-reader.ts";
import { Random } from "../../../services/demo/bidders/random.ts";
import { ContractBidders } from "../../faults/support/contract-bidders.ts";
import type { Task } from "../../faults/support/run-until-done.ts";
import { REFUSALS, StreamFollower } from "../../faults/support/stream-follower.ts";
import { CONTRACT_SALE_UUID, openChainSale } from "../../support/chains/chain-sale.ts";
import { deployAuctionSale } from "../../support/chains/sale-contract.ts";
import type { TestChain } from "../../support/chains/test-chain.ts";
import type { Load, LoadTarget } from "../../upgrade/support/load.ts";

const CHAIN = "local";
const READERS = 8;
const STREAMS = 50;
const SHORT_STREAMS = 4;
const FIRST_BIDDERS = 20;

/**
 * The load of `npm run test:load`: readers, streams that stay open and others that come and go, people who sign in, a service that
 * applies, and bidders at a contract of the chain.
 *
 * @returns a function that starts the same load each time it is called
 */
export async function mixedWork(target: LoadTarget, load: Load, chain: TestChain): Promise<() => Task[]> {
  const { clients, gateway, beforeOpening } = target;
  const contract = await deployAuctionSale(chain);
  await openChainSale(clients, contract, CONTRACT_SALE_UUID, CHAIN, { beforeOpening });
  const bidders = new ContractBidders(chain, contract, new Random(1));
  await bidders.joinFirst(FIRST_BIDDERS);
  await chain.mine();
  const session = await load.signIn();
  const streamUrl = `${gateway.url}/svc/v1/public/sales/${load.saleUuid}/commitment-data/stream`;
  return () => [
    ...Array.from({ length: READERS }, () => load.reader),
    ...Array.from({ length: STREAMS }, () => follower(streamUrl)),
    ...Array.from({ length: SHORT_STREAMS }, () => shortStreams(streamUrl)),
    load.writer,
    load.newcomer,
    load.keepSession(session),
    load.bidding(bidders, chain),
  ];
}

function follower(url: string): Task {
  const stream = new StreamFollower(() => url);
  return (over) => stream.follow(over);
}

/** Repeatedly opens a stream and closes it after the first event. */
function shortStreams(url: string): Task {
  return async (over) => {
    while (!over.aborted) {
      const stream = await StreamReader.open(url);
      const { status } = stream.response;
      if (status === 200) await stream.event();
      else if (!REFUSALS.has(status)) throw new Error(`a stream was answered by ${status}`);
      stream.close();
    }
  };
}
