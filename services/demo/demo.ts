import { setTimeout as wait } from "node:timers/promises";
import { create } from "@bufbuild/protobuf";
import { type Client, Code, ConnectError } from "@connectrpc/connect";
import type { ClientService } from "../../proto/gen/tidemark/auth/v1/client_service_pb.ts";
import type { CommitmentService } from "../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import {
  EvmSourceSchema,
  type Sale,
  type SaleDefinition,
  SaleStatus,
  Tenancy,
} from "../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import type { SaleService } from "../../proto/gen/tidemark/commitments/v1/sale_service_pb.ts";
import { type ApplicationServer, startApplicationServer } from "./application/application-server.ts";
import type { BidBook } from "./bid-book.ts";
import { Crowd } from "./crowd.ts";
import { type DemoChain, type DemoChainOptions, LOCAL_CHAIN, startDemoChain } from "./demo-chain.ts";
import { ensureClient } from "./demo-client.ts";
import { AUCTION, type DemoSale, FIXED_PRICE } from "./demo-sales.ts";
import { keepBidding } from "./keep-bidding.ts";
import { Random } from "./random.ts";
import { rpcBidBook } from "./rpc-bid-book.ts";

const SEED = 2_026;
/** What the crowd has done before anybody looks. */
const FIRST_ACTIONS = 600;
/** Over how long before now those actions are spread. */
const PAST_SECONDS = 6 * 3_600;
const USUAL_REDIRECT_URI = "http://localhost:3000/oauth/callback";
const SNAPSHOT_TIMEOUT_MS = 10_000;
const SNAPSHOT_POLL_MS = 25;

export interface DemoOptions extends Omit<DemoChainOptions, "genesisSeconds"> {
  readonly sales: Client<typeof SaleService>;
  readonly commitments: Client<typeof CommitmentService>;
  readonly clients: Client<typeof ClientService>;
  /** `AUTH_URL`. */
  readonly issuer: string;
  /** `DEMO_APP_PORT`. */
  readonly demoAppPort: number;
  /** Between two bids of a sale, in milliseconds. */
  readonly bidIntervalMs: number;
}

interface CrowdedSale {
  readonly sale: DemoSale;
  readonly book: BidBook;
}

/** The demo sales, open and with the crowd's first bids. */
export interface Demo {
  readonly chain: DemoChain;
  /** What signs users in for both sales. */
  readonly application: ApplicationServer;
  /** Whether the crowd bids in the auction: not where the auction is on a chain that can't run. */
  readonly auctionMoves: boolean;
  /** Waits, up to 10 s, until the auction can be read, and lets the crowd bid on. @returns what stops the crowd. */
  start(): Promise<() => Promise<void>>;
}

/** Sets up what is missing of the demo: the auction's chain and contract, the sales, and the crowd's first bids. */
export async function prepareDemo(options: DemoOptions): Promise<Demo> {
  const auction = await existingSale(options, AUCTION.uuid);
  const chain = await startDemoChain({ ...options, genesisSeconds: nowSeconds() - PAST_SECONDS }, auction);
  const application = await startApplicationServer({
    ...options,
    port: options.demoAppPort,
    clientId: AUCTION.clientUuid,
  });
  const auctionMoves = chain.running || auction?.definition?.source.case === undefined;
  const fixedPrice = { sale: FIXED_PRICE, book: rpcBidBook(options.commitments, FIXED_PRICE.uuid) };
  const moving = [...(auctionMoves ? [auctionOf(options, chain)] : []), fixedPrice];
  const crowds: (CrowdedSale & { crowd: Crowd })[] = [];
  // The usual one always: what is documented for it works whatever the port.
  const redirectUris = [...new Set([USUAL_REDIRECT_URI, application.redirectUri])];
  if (!auctionMoves) await ensureClient(options.clients, AUCTION, redirectUris);
  for (const { sale, book } of moving) {
    const status = await ensureCreated(options, sale, sale === AUCTION ? auctionDefinition(chain) : sale.definition);
    await ensureClient(options.clients, sale, redirectUris);
    // Without that client no sale opens.
    if (status === SaleStatus.DRAFT) await options.sales.openSale({ saleUuid: sale.uuid });
    crowds.push({ sale, book, crowd: await gather(sale, book) });
  }
  const start = async () => {
    if (chain.running) await untilReadable(options);
    const stops = crowds.map(({ sale, book, crowd }) => keepBidding({ ...options, sale, book, crowd }));
    return async () => {
      await Promise.all(stops.map((stop) => stop()));
    };
  };
  return { chain, application, auctionMoves, start };
}

function auctionOf({ commitments }: DemoOptions, chain: DemoChain): CrowdedSale {
  return { sale: AUCTION, book: chain.running ? chain.book : rpcBidBook(commitments, AUCTION.uuid) };
}

function auctionDefinition(chain: DemoChain): SaleDefinition {
  const { definition } = AUCTION;
  if (!chain.running) return definition;
  const value = create(EvmSourceSchema, { chain: LOCAL_CHAIN, contract: chain.contract });
  return { ...definition, source: { case: "evm", value } };
}

async function gather(sale: DemoSale, book: BidBook): Promise<Crowd> {
  const bids = await book.placed();
  const crowd = new Crowd(sale, new Random(SEED + bids.length), { bids, cancels: book.takesCancellations });
  if (bids.length === 0) await placeFirstBids(crowd, book);
  return crowd;
}

async function placeFirstBids(crowd: Crowd, book: BidBook): Promise<void> {
  const begin = nowSeconds() - PAST_SECONDS;
  const timeOf = (action: number) => BigInt(begin + Math.floor((action * PAST_SECONDS) / FIRST_ACTIONS));
  await book.place(Array.from({ length: FIRST_ACTIONS }, (_, action) => crowd.act(timeOf(action))));
}

async function existingSale({ sales }: Pick<DemoOptions, "sales">, saleUuid: string): Promise<Sale | undefined> {
  const { sale } = await sales.getSale({ saleUuid }).catch((error: unknown) => {
    if (error instanceof ConnectError && error.code === Code.NotFound) return { sale: undefined };
    throw error;
  });
  return sale;
}

async function ensureCreated(options: DemoOptions, sale: DemoSale, definition: SaleDefinition): Promise<SaleStatus> {
  const existing = await existingSale(options, sale.uuid);
  if (existing !== undefined) return existing.status;
  await options.sales.createSale({ saleUuid: sale.uuid, tenancy: Tenancy.TEST, definition });
  return SaleStatus.DRAFT;
}

/** A sale with a source can't be read before the indexer has read that for the first time. */
async function untilReadable(options: DemoOptions): Promise<void> {
  const deadline = performance.now() + SNAPSHOT_TIMEOUT_MS;
  while (!(await existingSale(options, AUCTION.uuid))?.hasSnapshot) {
    if (performance.now() > deadline) {
      options.logger.warn({ sale: AUCTION.uuid }, "the auction's contract hasn't been read yet");
      return;
    }
    await wait(SNAPSHOT_POLL_MS);
  }
}

function nowSeconds(): number {
  return Math.floor(Date.now() / 1_000);
}
