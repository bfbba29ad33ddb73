import { resolve } from "node:path";
import { create } from "@bufbuild/protobuf";
import type { Chain } from "../../../common/chains/base/chain.ts";
import { bloomMayHave, parseBloom } from "../../../common/chains/evm/logs-bloom.ts";
import { CCA_LOGS } from "../../../common/contracts/cca/auction-logs.ts";
import type { Logger } from "../../../common/platform/log/log.ts";
import {
  ContractFamily,
  EvmSourceSchema,
  type Sale,
  type SaleDefinition,
} from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import type { BidBook } from "../bidders/bid-book.ts";
import { type ChainBidders, oneAtATime } from "../bidders/one-at-a-time.ts";
import type { NewWallet } from "../bidders/permit-bid.ts";
import { AUCTION } from "../sales/demo-sales.ts";
import { findAnvil } from "./find-anvil.ts";
import { LOCAL_CHAIN_ID, type LocalChain, startLocalChain } from "./local-chain.ts";

/** The demo's chain by its name in the sale's source. */
export const LOCAL_CHAIN = "local";

export interface DemoChainOptions {
  /** `DEMO_CHAIN`: whether to start a chain. */
  readonly demoChain: boolean;
  /** `DEMO_CHAIN_PORT`; 0 means any free port. */
  readonly demoChainPort: number;
  /** `DATA_DIR`. */
  readonly dataDir: string;
  /** The time of a new chain's first block, in seconds since 1970. */
  readonly genesisSeconds: number;
  readonly logger: Logger;
}

/** The auction's chain with its contract. */
export interface RunningDemoChain extends Pick<LocalChain, "url" | "stop">, ChainBidders {
  readonly running: true;
  /** The contract's address. */
  readonly contract: string;
  /** Makes the contract accept permits of a signer, by its address; absent if the contract is one that knows no permits. */
  readonly grantSigner?: (signer: string) => Promise<void>;
}

/** The chain, or the reason why there is none, which `npm start` prints. */
export type DemoChain = RunningDemoChain | { readonly running: false; readonly absence: string };

/**
 * Starts the chain that the demo's auction is on.
 *
 * @param auction the auction as stored by an earlier run, if there was one. If it has no source, it can't get one now.
 */
export async function startDemoChain(options: DemoChainOptions, auction: Sale | undefined): Promise<DemoChain> {
  if (!options.demoChain) return { running: false, absence: "DEMO_CHAIN=off" };
  if (auction !== undefined && auction.definition?.source.case === undefined) {
    return { running: false, absence: "the auction in this data folder was set up without one" };
  }
  const command = findAnvil();
  if (command === undefined) return { running: false, absence: "anvil isn't installed here" };
  try {
    return await openChain(options, command);
  } catch (error) {
    options.logger.debug({ err: error }, "no local chain");
    return { running: false, absence: reasonOf(error) };
  }
}

/** The source of the auction, which is on the chain. */
export function auctionSource({ contract }: Pick<RunningDemoChain, "contract">): SaleDefinition["source"] {
  return { case: "evm", value: create(EvmSourceSchema, { chain: LOCAL_CHAIN, contract }) };
}

/** The source of the continuous auction, which is on the same chain. */
export function continuousSource({ continuous }: Pick<RunningDemoChain, "continuous">): SaleDefinition["source"] {
  const { contract } = continuous;
  return { case: "evm", value: create(EvmSourceSchema, { chain: LOCAL_CHAIN, contract, family: ContractFamily.CCA }) };
}

/** The indexer's settings for the chain. */
export function indexedChain({ url }: Pick<LocalChain, "url">): Chain {
  return {
    family: "evm",
    name: LOCAL_CHAIN,
    chainId: LOCAL_CHAIN_ID,
    urls: [url],
    confirmations: 0,
    pollIntervalMs: 250,
    maxConcurrency: 4,
    chunkRows: 500,
    sweepIntervalMs: 600_000,
    maxCommitments: 5_000_000,
    maxHeadLag: 10,
    requestTimeoutMs: 10_000,
  };
}

async function openChain(options: DemoChainOptions, command: string): Promise<RunningDemoChain> {
  const { dataDir, demoChainPort: port, genesisSeconds } = options;
  const folder = resolve(dataDir, "chain");
  // Loaded here so that a demo without a chain doesn't load viem.
  const loading = Promise.all([
    import("./auction-contract.ts"),
    import("./deploy-auction.ts"),
    import("./continuous-bidders.ts"),
  ]);
  const chain = await startLocalChain({ command, folder, port, genesisSeconds, keeps: mayHaveBids });
  try {
    const [{ openAuctionContract }, { AUCTION_CONTRACT: contract }, { continuousBidders }] = await loading;
    const { book, ...permits } = await openAuctionContract(chain.url, AUCTION);
    const { url } = chain;
    const newWallet: NewWallet = async () => (await import("./chain-wallet.ts")).newChainWallet(url);
    const stop = (deadline: AbortSignal) => chain.stop(deadline);
    const continuous = await continuousBidders(url);
    const bidders = oneAtATime({ book: forgetfulBidBook(book, chain), newWallet, continuous });
    return { running: true, url, contract, ...bidders, ...permits, stop };
  } catch (error) {
    await chain.stop(AbortSignal.timeout(1_000));
    throw error;
  }
}

/** Whether a block may have a bid of the continuous auction, whose rows have their blocks' times. There are fewer than a thousand. */
export function mayHaveBids(logsBloom: unknown): boolean {
  const bloom = parseBloom(logsBloom);
  return bloom !== undefined && CCA_LOGS.topics.some((topic) => bloomMayHave(bloom, topic));
}

function reasonOf(error: unknown): string {
  // Thrown by Deno without --allow-run.
  if (error instanceof Error && error.name === "NotCapable") return "this process isn't allowed to start programs";
  const { message } = error instanceof Error ? error : new Error(String(error));
  return `anvil can't be started (${message.split("\n", 1).join("")})`;
}

/** Each bid is a block, and anvil keeps 2 KB of a block in memory and in its state. */
const BIDS_BETWEEN = 2_000;

/**
 * A bid book that makes its chain forget old blocks every 2,000 bids, which bounds the chain's memory and state. If
 * forgetting fails, the bid fails too; the next bid tries both again.
 */
export function forgetfulBidBook(book: BidBook, chain: Pick<LocalChain, "forgetOldBlocks">): BidBook {
  let bids = 0;
  return {
    takesCancellations: book.takesCancellations,
    placed: () => book.placed(),
    async place(next) {
      if (bids >= BIDS_BETWEEN) {
        await chain.forgetOldBlocks();
        bids = 0;
      }
      await book.place(next);
      bids += next.length;
    },
  };
}
