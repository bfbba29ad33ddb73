import { type Address, keccak256 } from "viem";
import { expect } from "vitest";
import { CCA_FAMILY } from "../../../common/contracts/cca/cca-family.ts";
import type { SourceCommitment } from "../../../common/contracts/source-commitment.ts";
import { outbiddingTick } from "../../../common/sale/figures/clearing-search.ts";
import { levelOf, lowestTickOf, nodeKey, parentOf, TickChanges } from "../../../common/sale/figures/tick-tree.ts";
import type { Random } from "../../../services/demo/bidders/random.ts";
import { auctionCall, type DeployedAuction, Q96, storedPrice, submitBid } from "../chains/continuous-auction.ts";
import type { ContractCall, TestChain } from "../chains/test-chain.ts";
import { walletOf } from "../databases/sale-rows.ts";
import { checkpointsAt, fillOf, issuedBefore, type ModelBid, priceOfNow } from "../models/continuous-auction-model.ts";
import type { FamilyScenario } from "./family-scenario.ts";

const END = 2n ** 256n - 1n;
const MPS = 10_000_000n;
const OWNERS = 5;
const WIDTH = 20;
const COUNTED = 1n;

interface StoredBid {
  readonly startBlock: bigint;
  readonly startCumulativeMps: number;
  readonly exitedBlock: bigint;
  readonly maxPrice: bigint;
  readonly owner: Address;
  readonly amountQ96: bigint;
  readonly tokensFilled: bigint;
}

/** An auction whose bidders, several bids each, bid, are outbid, leave and claim. */
export class ContinuousAuctionScenario implements FamilyScenario {
  readonly family = CCA_FAMILY;
  readonly contract: Address;
  readonly paymentTokens: readonly string[];
  readonly #chain: TestChain;
  readonly #auction: DeployedAuction;
  readonly #version: "1.0.0" | "1.1.0";
  readonly #random: Random;

  constructor(chain: TestChain, auction: DeployedAuction, version: "1.0.0" | "1.1.0", random: Random) {
    this.contract = auction.address;
    this.paymentTokens = [auction.currency.toLowerCase()];
    this.#chain = chain;
    this.#auction = auction;
    this.#version = version;
    this.#random = random;
  }

  async calls(): Promise<readonly ContractCall[]> {
    const head = await this.#head();
    const bids = await this.#bids(head);
    const next = head + 1n;
    if (next < this.#auction.startBlock) return [];
    const others = [...(await this.#exits(bids, head)), ...this.#claims(bids, next), ...this.#checkpoints(next)];
    return issuedBefore(this.#auction, next) < MPS ? [...others, ...this.#randomBids(bids)] : others;
  }

  async replacements(depth: number): Promise<readonly (readonly ContractCall[])[]> {
    const bids = await this.#bids((await this.#head()) - BigInt(depth));
    return Array.from({ length: depth }, () => this.#randomBids(bids));
  }

  async rows(height: bigint): Promise<readonly SourceCommitment[]> {
    const bids = await this.#bids(height);
    const rows = await Promise.all(bids.map((bid, id) => this.#row(bid, BigInt(id))));
    return height < this.#auction.endBlock ? rows : this.#withAccepted(rows, bids, height);
  }

  /** Adds what the auction keeps of each bid, by the checkpoints that it stores and that of the end. */
  async #withAccepted(
    rows: readonly SourceCommitment[],
    bids: readonly StoredBid[],
    height: bigint,
  ): Promise<readonly SourceCommitment[]> {
    const blocks = new Set([...(await this.#checkpointBlocks(height)), this.#auction.endBlock]);
    const model = bids.map(modelOf);
    const checkpoints = checkpointsAt(this.#auction, model, [...blocks]);
    return rows.map((row, id) => {
      const { refund = 0n } = fillOf(this.#auction, model, checkpoints, model[id] as ModelBid, this.#version);
      const accepted = row.amounts.map((each) => ({ ...each, amount: each.amount - refund }));
      return accepted.some(({ amount }) => amount > 0n) ? { ...row, accepted } : row;
    });
  }

  /** The price of now, which follows from the rows by our rule, and from the contract's storage by its own. */
  async expectAgreement(rows: readonly SourceCommitment[]): Promise<void> {
    const head = await this.#head();
    const bids = rows.map(({ priceTicks }) => ({ maxPrice: priceTicks }));
    const stored = await storedPrice(this.#auction, bids, (name, ...args) => this.#call(head, name, ...args));
    expect(clearingPriceOf(this.#auction, rows)).toBe(stored);
  }

  async #row(bid: StoredBid, id: bigint): Promise<SourceCommitment> {
    const { timestamp } = await this.#chain.client.getBlock({ blockNumber: bid.startBlock });
    const amount = bid.amountQ96 / Q96;
    return {
      commitmentId: id.toString(16).padStart(64, "0"),
      entityId: keccak256(bid.owner).slice(2, 34),
      createdAtSeconds: timestamp,
      priceTicks: bid.maxPrice,
      lockup: false,
      refunded: false,
      amounts: [{ wallet: bid.owner.toLowerCase(), token: this.#auction.currency.toLowerCase(), amount }],
      extraData: new Uint8Array(),
      sourceIndex: id,
      demand: (bid.amountQ96 * MPS) / (MPS - BigInt(bid.startCumulativeMps)),
    };
  }

  #randomBids(bids: readonly StoredBid[]): readonly ContractCall[] {
    const price = priceOfNow(this.#auction, bids.map(modelOf));
    const { tickSpacing, supply } = this.#auction;
    return Array.from({ length: Math.max(0, this.#random.integer(-1, 3)) }, () => {
      const maxPrice = (price / tickSpacing + BigInt(this.#random.integer(1, 6))) * tickSpacing;
      const share = this.#random.next() < 0.2 ? 3n : 40n;
      const amount = 1n + (((supply * price) / Q96) * BigInt(this.#random.integer(0, 1_000))) / 1_000n / share;
      return submitBid(this.#auction, { maxPrice, amount, owner: walletOf(this.#random.integer(1, OWNERS)) });
    });
  }

  #checkpoints(next: bigint): readonly ContractCall[] {
    if (this.#random.next() < 0.7) return [];
    if (this.#version === "1.0.0" || next >= this.#auction.endBlock) return [auctionCall(this.#auction, "checkpoint")];
    return [auctionCall(this.#auction, "forceIterateOverTicks", END)];
  }

  /** The exit of one bid that can leave by the checkpoints that there are, now and then. */
  async #exits(bids: readonly StoredBid[], head: bigint): Promise<readonly ContractCall[]> {
    if (this.#random.next() < 0.5) return [];
    const model = bids.map(modelOf);
    const blocks = await this.#checkpointBlocks(head);
    const checkpoints = checkpointsAt(this.#auction, model, blocks);
    const isOver = blocks.at(-1) === this.#auction.endBlock;
    const fills = model.flatMap((bid, id) => {
      if (bids[id]?.exitedBlock !== 0n || !blocks.includes(bid.block)) return [];
      const { hints, refund } = fillOf(this.#auction, model, checkpoints, bid, this.#version);
      if (refund === undefined || (!isOver && (hints === undefined || hints[1] === 0n))) return [];
      const call = hints === undefined ? "exitBid" : "exitPartiallyFilledBid";
      return [auctionCall(this.#auction, call, BigInt(id), ...(hints ?? []))];
    });
    return fills.slice(0, 1);
  }

  #claims(bids: readonly StoredBid[], next: bigint): readonly ContractCall[] {
    if (next < this.#auction.claimBlock) return [];
    const id = bids.findIndex(({ exitedBlock, tokensFilled }) => exitedBlock !== 0n && tokensFilled > 0n);
    return id < 0 ? [] : [auctionCall(this.#auction, "claimTokens", BigInt(id))];
  }

  /** The blocks of the checkpoints, oldest first. */
  async #checkpointBlocks(height: bigint): Promise<readonly bigint[]> {
    const blocks: bigint[] = [];
    let block = await this.#call<bigint>(height, "lastCheckpointedBlock");
    while (block !== 0n) {
      blocks.unshift(block);
      block = (await this.#call<{ readonly prev: bigint }>(height, "checkpoints", block)).prev;
    }
    return blocks;
  }

  async #bids(height: bigint): Promise<readonly StoredBid[]> {
    const count = Number(await this.#call<bigint>(height, "nextBidId"));
    return Promise.all(Array.from({ length: count }, (_, id) => this.#call<StoredBid>(height, "bids", BigInt(id))));
  }

  #call<Result>(blockNumber: bigint, name: string, ...args: readonly unknown[]): Promise<Result> {
    const request = { ...auctionCall(this.#auction, name, ...args), blockNumber };
    return this.#chain.client.readContract(request as never) as Promise<Result>;
  }

  #head(): Promise<bigint> {
    return this.#chain.client.getBlockNumber({ cacheTime: 0 });
  }
}

function modelOf({ startBlock, maxPrice, amountQ96 }: StoredBid): ModelBid {
  return { block: startBlock, maxPrice, amount: amountQ96 / Q96 };
}

/** Drives the search for the clearing price over the sums of the rows. */
function clearingPriceOf({ floorPrice, supply }: DeployedAuction, rows: readonly SourceCommitment[]): bigint {
  const changes = new TickChanges(WIDTH, true);
  for (const { priceTicks, demand } of rows) changes.add(COUNTED, priceTicks, 0n, demand);
  const nodes = [...(changes.byClass().get(COUNTED) ?? [])].map(([key, { amount, demand }]) => {
    return { key, level: levelOf(key), lowestTick: lowestTickOf(key), amount, demand };
  });
  const auction = { floorTicks: floorPrice, offeredAmount: supply };
  const search = outbiddingTick(auction, { numerator: 1n, denominator: Q96 }, WIDTH);
  let step = search.next();
  while (!step.done) {
    const { level, lowestTick } = step.value;
    const parent = nodeKey(WIDTH, level - 1, lowestTick);
    step = search.next(nodes.filter((node) => node.level === level && parentOf(node.key) === parent));
  }
  return step.value;
}
