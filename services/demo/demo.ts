import { setTimeout as wait } from "node:timers/promises";
import type { Client } from "@connectrpc/connect";
import type { Server } from "../../client/index.ts";
import type { ClientService } from "../../proto/gen/tidemark/auth/v1/client_service_pb.ts";
import type { CommitmentService } from "../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import { type SaleDefinition, SaleStatus } from "../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import type { SaleService } from "../../proto/gen/tidemark/commitments/v1/sale_service_pb.ts";
import { type ApplicationServer, startApplicationServer } from "./application/application-server.ts";
import type { Bidding } from "./application/bidding.ts";
import type { BidBook } from "./bidders/bid-book.ts";
import { gatherBidders } from "./bidders/gather-bidders.ts";
import { bidSteps, keepBidding } from "./bidders/keep-bidding.ts";
import { rpcBidBook } from "./bidders/rpc-bid-book.ts";
import type { SimulatedBidders } from "./bidders/simulated-bidders.ts";
import {
  auctionSource,
  continuousSource,
  type DemoChain,
  type DemoChainOptions,
  type RunningDemoChain,
  startDemoChain,
} from "./chain/demo-chain.ts";
import { AUCTION, CONTINUOUS, type DemoSale, FIXED_PRICE } from "./sales/demo-sales.ts";
import { ensureClient } from "./sales/ensure-client.ts";
import { ensureParticipation, type ParticipationClients } from "./sales/ensure-participation.ts";
import { ensureSale, existingSale } from "./sales/ensure-sale.ts";

/** Age of the first bids of a new sale. */
const PAST_SECONDS = 6 * 3_600;
const USUAL_REDIRECT_URI = "http://localhost:3000/oauth/callback";
const SNAPSHOT_TIMEOUT_MS = 10_000;
const SNAPSHOT_POLL_MS = 25;

export interface DemoOptions extends Omit<DemoChainOptions, "genesisSeconds"> {
  readonly sales: Client<typeof SaleService>;
  readonly commitments: Client<typeof CommitmentService>;
  readonly clients: Client<typeof ClientService>;
  readonly entitiesUpstream: ParticipationClients;
  /** `AUTH_URL`. */
  readonly issuer: string;
  /** The public calls, for the application. */
  readonly publicServer: Server;
  /** `DEMO_APP_PORT`. */
  readonly demoAppPort: number;
  /** Time between two bids of a sale, in milliseconds. */
  readonly bidIntervalMs: number;
}

/** The demo sales with their chain and their application. */
export interface Demo {
  readonly chain: DemoChain;
  /** The application that signs users in for both sales. */
  readonly application: ApplicationServer;
  /** Whether bids are placed in the auction. False if the auction is on a chain that can't run. */
  readonly auctionMoves: boolean;
  /** Opens the sales and places the first bids. The indexer must answer, as it checks the auction's contract. */
  open(): Promise<void>;
  /**
   * Waits up to 10 s until the auction can be read, then lets the simulated bidders continue.
   *
   * @returns a function that stops them.
   */
  start(): Promise<() => Promise<void>>;
}

interface SimulatedSale {
  readonly sale: DemoSale;
  readonly book: BidBook;
  readonly bidders: SimulatedBidders;
}

/** Sets up whatever part of the demo is missing: the auction's chain and contract, and the application. */
export async function prepareDemo(options: DemoOptions): Promise<Demo> {
  const { issuer, publicServer: server, demoAppPort: port } = options;
  const auction = await existingSale(options.sales, AUCTION.uuid);
  const genesisSeconds = Math.floor(Date.now() / 1_000) - PAST_SECONDS;
  const chain = await startDemoChain({ ...options, genesisSeconds }, auction);
  const application = await startApplicationServer({ port, issuer, server, sale: AUCTION, bidding: biddingOf(chain) });
  // The usual URI is always allowed, so that documented requests with it work whatever the port.
  const redirectUris = [...new Set([USUAL_REDIRECT_URI, application.redirectUri])];
  const auctionMoves = chain.running || auction?.definition?.source.case === undefined;
  const simulated: SimulatedSale[] = [];
  const open = async () => {
    if (auctionMoves) simulated.push(await openAuction(options, chain, redirectUris));
    else await ensureClient(options.clients, AUCTION, redirectUris);
    const fixedPriceBook = rpcBidBook(options.commitments, FIXED_PRICE.uuid);
    const fixedPrice = { definition: FIXED_PRICE.definition, book: fixedPriceBook, redirectUris };
    simulated.push(await openDemoSale(options, FIXED_PRICE, fixedPrice));
    if (chain.running) await openContinuous(options, chain, redirectUris);
  };
  const start = async () => {
    if (chain.running) await untilReadable(options);
    const steps = simulated.map(({ sale, ...bidding }) => ({
      saleUuid: sale.uuid,
      step: bidSteps({ ...bidding, isSettled: settled(options, sale) }),
    }));
    if (chain.running) steps.push({ saleUuid: CONTINUOUS.uuid, step: () => chain.continuous.step() });
    const stops = steps.map((each) => keepBidding({ ...options, ...each }));
    return async () => {
      await Promise.all(stops.map((stop) => stop()));
    };
  };
  return { chain, application, auctionMoves, open, start };
}

function settled({ sales }: DemoOptions, { uuid }: DemoSale): () => Promise<boolean> {
  return async () => (await existingSale(sales, uuid))?.status === SaleStatus.SETTLED;
}

/** Returns how users of the application bid in the auction, or why they can't. */
function biddingOf(chain: DemoChain): Bidding {
  if (!chain.running) return { absence: `the auction has no chain now: ${chain.absence}` };
  if (chain.grantSigner !== undefined) return { newWallet: chain.newWallet };
  return { absence: "this data folder’s contract is of an older version, which takes no purchase permits" };
}

function openAuction(options: DemoOptions, chain: DemoChain, redirectUris: readonly string[]): Promise<SimulatedSale> {
  const book = chain.running ? chain.book : rpcBidBook(options.commitments, AUCTION.uuid);
  const grantSigner = chain.running ? chain.grantSigner : undefined;
  const prepare = async () => {
    if (grantSigner !== undefined) await ensureParticipation(options.entitiesUpstream, AUCTION, grantSigner);
  };
  return openDemoSale(options, AUCTION, { definition: auctionDefinition(chain), book, redirectUris, prepare });
}

function auctionDefinition(chain: DemoChain): SaleDefinition {
  const { definition } = AUCTION;
  if (!chain.running) return definition;
  return { ...definition, source: auctionSource(chain) };
}

interface Opening {
  readonly definition: SaleDefinition;
  readonly book: BidBook;
  readonly redirectUris: readonly string[];
  /** Runs when the sale exists, before it is opened. */
  readonly prepare?: (() => Promise<void>) | undefined;
}

async function openDemoSale(
  { sales, clients }: DemoOptions,
  sale: DemoSale,
  { definition, book, redirectUris, prepare }: Opening,
): Promise<SimulatedSale> {
  await ensureOpenSale({ sales, clients }, sale, { definition, redirectUris, prepare });
  return { sale, book, bidders: await gatherBidders(sale, book, PAST_SECONDS) };
}

/** Opens the continuous auction last: the first bids of the other one have times before now, and a chain's times never fall. */
async function openContinuous(
  options: DemoOptions,
  chain: Pick<RunningDemoChain, "continuous">,
  redirectUris: readonly string[],
): Promise<void> {
  await chain.continuous.open();
  const definition = { ...CONTINUOUS.definition, source: continuousSource(chain) };
  await ensureOpenSale(options, CONTINUOUS, { definition, redirectUris });
}

async function ensureOpenSale(
  { sales, clients }: Pick<DemoOptions, "sales" | "clients">,
  sale: Pick<DemoSale, "uuid" | "clientUuid">,
  { definition, redirectUris, prepare }: Omit<Opening, "book">,
): Promise<void> {
  const status = await ensureSale(sales, sale, definition);
  // A sale without a client can't be opened.
  await ensureClient(clients, sale, redirectUris);
  await prepare?.();
  if (status === SaleStatus.DRAFT) await sales.openSale({ saleUuid: sale.uuid });
}

/** Waits for the indexer's first snapshot of the auction, without which the sale can't be read. */
async function untilReadable({ sales, logger }: DemoOptions): Promise<void> {
  const deadline = performance.now() + SNAPSHOT_TIMEOUT_MS;
  while (!(await existingSale(sales, AUCTION.uuid))?.hasSnapshot) {
    if (performance.now() > deadline) {
      logger.warn({ sale: AUCTION.uuid }, "the auction's contract hasn't been read yet");
      return;
    }
    await wait(SNAPSHOT_POLL_MS);
  }
}
