import { randomUUID } from "node:crypto";
import { type Client, Code, ConnectError } from "@connectrpc/connect";
import type { CommitmentService } from "../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import { SaleStatus, Tenancy } from "../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import type { SaleService } from "../../proto/gen/tidemark/commitments/v1/sale_service_pb.ts";
import type { Logger } from "../shared/log.ts";
import { bidOfRecord, recordOfBid } from "./bid-record.ts";
import { type Bid, Crowd } from "./crowd.ts";
import { AUCTION, type DemoSale, FIXED_PRICE } from "./demo-sales.ts";
import { Random } from "./random.ts";

const SEED = 2_026;
/** What the crowd has done before anybody looks. */
const FIRST_ACTIONS = 600;
/** Over how long before now those actions are spread. */
const PAST_SECONDS = 6 * 3_600;
const PAGE_SIZE = 500;

export interface DemoOptions {
  readonly sales: Client<typeof SaleService>;
  readonly commitments: Client<typeof CommitmentService>;
  /** Between two bids of a sale, in milliseconds. */
  readonly bidIntervalMs: number;
  readonly logger: Logger;
}

/** Sets up the demo sales where they are missing and lets a crowd bid on them. @returns what stops the crowd. */
export async function startDemo(options: DemoOptions): Promise<() => Promise<void>> {
  const crowds: { readonly sale: DemoSale; readonly crowd: Crowd }[] = [];
  for (const sale of [AUCTION, FIXED_PRICE]) crowds.push({ sale, crowd: await gather(options, sale) });
  const stops = crowds.map(({ sale, crowd }) => keepBidding(options, sale, crowd));
  return async () => {
    await Promise.all(stops.map((stop) => stop()));
  };
}

async function gather(options: DemoOptions, sale: DemoSale): Promise<Crowd> {
  await ensureOpen(options, sale);
  const bids = await placedBids(options, sale);
  const random = new Random(SEED + bids.length);
  const crowd = new Crowd(sale, random, bids);
  if (bids.length === 0) await placeFirstBids(options, sale, crowd);
  return crowd;
}

async function ensureOpen({ sales }: DemoOptions, { uuid, definition }: DemoSale): Promise<void> {
  const existing = await sales.getSale({ saleUuid: uuid }).catch((error: unknown) => {
    if (error instanceof ConnectError && error.code === Code.NotFound) return undefined;
    throw error;
  });
  if (existing === undefined) await sales.createSale({ saleUuid: uuid, tenancy: Tenancy.TEST, definition });
  if ((existing?.sale?.status ?? SaleStatus.DRAFT) === SaleStatus.DRAFT) await sales.openSale({ saleUuid: uuid });
}

/** The bids of an earlier run, by entity. */
async function placedBids({ commitments }: DemoOptions, { uuid }: DemoSale): Promise<readonly Bid[]> {
  const bids: Bid[] = [];
  let pageToken = "";
  do {
    const page = await commitments.listCommitments({ saleUuid: uuid, pageSize: PAGE_SIZE, pageToken });
    for (const { record } of page.commitments) if (record !== undefined) bids.push(bidOfRecord(record));
    pageToken = page.nextPageToken;
  } while (pageToken !== "");
  return bids.sort((left, right) => left.entity - right.entity);
}

async function placeFirstBids(options: DemoOptions, sale: DemoSale, crowd: Crowd): Promise<void> {
  const begin = nowSeconds() - PAST_SECONDS;
  const latest = new Map<number, Bid>();
  for (let action = 0; action < FIRST_ACTIONS; action += 1) {
    const bid = crowd.act(BigInt(begin + Math.floor((action * PAST_SECONDS) / FIRST_ACTIONS)));
    latest.set(bid.entity, bid);
  }
  await apply(options, sale, [...latest.values()]);
}

/** One bid an interval; the next is only begun when the one before has been answered. */
function keepBidding(options: DemoOptions, sale: DemoSale, crowd: Crowd): () => Promise<void> {
  let bidding: Promise<void> | undefined;
  const timer = setInterval(() => {
    bidding ??= apply(options, sale, [crowd.act(BigInt(nowSeconds()))])
      .catch((error) => options.logger.warn({ err: error, sale: sale.uuid }, "a demo bid was not applied"))
      .finally(() => {
        bidding = undefined;
      });
  }, options.bidIntervalMs);
  return async () => {
    clearInterval(timer);
    await bidding;
  };
}

async function apply({ commitments }: DemoOptions, sale: DemoSale, bids: readonly Bid[]): Promise<void> {
  await commitments.applyCommitments({
    saleUuid: sale.uuid,
    requestId: randomUUID(),
    upserts: bids.map(recordOfBid),
  });
}

function nowSeconds(): number {
  return Math.floor(Date.now() / 1_000);
}
