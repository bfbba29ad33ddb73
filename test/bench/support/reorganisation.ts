import type { Address } from "viem";
import { hexOfBytes } from "../../../common/platform/encoding/hex.ts";
import { auctionCalls } from "../../support/chains/sale-contract.ts";
import type { TestChain } from "../../support/chains/test-chain.ts";
import { bidOf } from "../../support/databases/sale-rows.ts";
import type { CommitmentsProcess } from "../../support/processes/commitments-process.ts";
import { until } from "../../support/repository/polling.ts";

const DEPTH = 5;
const POLL_MS = 2;
/** Above the prices of all other bids. */
const FIRST_PRICE = 10_000;

interface FollowedSale {
  readonly saleUuid: string;
  readonly contract: Address;
  readonly entities: number;
}

/**
 * Mines five blocks with a bid in each of the two sales, replaces them by five with other bids, and measures how long after
 * that each sale is at the new head.
 */
export async function reorganisationMillis(
  chain: TestChain,
  service: CommitmentsProcess,
  sales: readonly [FollowedSale, FollowedSale],
  round: number,
): Promise<readonly [number, number]> {
  const bidsOf = (side: number) =>
    Array.from({ length: DEPTH }, (_, block) =>
      sales.map(({ contract, entities }) => {
        const step = (2 * round + side) * DEPTH + block;
        const bid = bidOf((step * 7) % entities, { price: BigInt(FIRST_PRICE + step) });
        return { call: auctionCalls.bid(contract, bid), block };
      }),
    );
  for (const block of bidsOf(0)) {
    for (const { call } of block) await chain.send(call);
    await chain.mine();
  }
  await untilAtHead(chain, service, sales[0]);
  await untilAtHead(chain, service, sales[1]);
  await chain.reorg(DEPTH, bidsOf(1).flat());
  const begin = performance.now();
  const measured = async (sale: FollowedSale) => {
    await untilAtHead(chain, service, sale);
    return performance.now() - begin;
  };
  return Promise.all([measured(sales[0]), measured(sales[1])]);
}

async function untilAtHead({ client }: TestChain, { sales }: CommitmentsProcess, { saleUuid }: FollowedSale) {
  const { hash } = await client.getBlock({ blockTag: "latest" });
  const isAtHead = async () => {
    const { sale } = await sales.getSale({ saleUuid });
    return hexOfBytes(sale?.sourcePosition?.hash ?? new Uint8Array()) === hash?.slice(2);
  };
  await until(isAtHead, POLL_MS);
}
