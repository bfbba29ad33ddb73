import { Buffer } from "node:buffer";
import { base58 } from "@scure/base";
import type { SolanaRpcApi } from "@solana/rpc";
import type { SvmChain } from "../../../chains/base/chain.ts";
import { SourceFault } from "../../../chains/base/source-fault.ts";
import type { JsonRpcUrl } from "../../../chains/nodes/json-rpc-url.ts";
import {
  accountBytes,
  accountList,
  contextSlot,
  decodeAccount,
  type ListedAccount,
  listedAccounts,
  ownedAccountList,
  programAccounts,
  unusableAnswer,
} from "../../../chains/svm/account-answer.ts";
import { CallTooLarge, readHalving } from "../../../chains/svm/call-too-large.ts";
import { CLOCK_ACCOUNT, clockSeconds } from "../../../chains/svm/clock-account.ts";
import type { SendOptions } from "../../../chains/svm/failover-transport.ts";
import type { SharedAccounts } from "../../../chains/svm/shared-accounts.ts";
import type { SvmRpc } from "../../../chains/svm/svm-rpc.ts";
import {
  BINDING_ENTITY_OFFSET,
  BINDING_SALE_OFFSET,
  DISCRIMINATOR,
  decodeSettlementSale,
  ENTITY_ID_BYTES,
  ENTITY_SALE_OFFSET,
  type SettlementSale,
} from "./account-layout.ts";
import { BindingDirectory } from "./binding-directory.ts";
import { entityAddress, saleAddress } from "./entity-address.ts";
import { type EntityAccount, PolledEntities } from "./polled-entities.ts";

/** Limit of `getMultipleAccounts`. */
const MAX_ACCOUNTS_PER_CALL = 100;
/** The least with which a sale can be read: the sale, an entity and a wallet's binding, all at one slot. */
const MIN_ACCOUNTS_PER_CALL = 3;
/** Calls near a bound that must be answered before a larger one is tried. */
const CALLS_BEFORE_LARGER = 64;
/** Number of entities whose bindings are listed one by one. For more, one list of all bindings is cheaper for the node. */
const MAX_SINGLE_LISTS = 8;
/** Types that the library distinguishes although their values are strings. */
type RpcAddress = Parameters<SolanaRpcApi["getProgramAccounts"]>[0];
type ListConfig = NonNullable<Parameters<SolanaRpcApi["getProgramAccounts"]>[1]>;
type ListFilter = NonNullable<ListConfig["filters"]>[number];
type FilterBytes = Extract<ListFilter, { memcmp: { encoding: "base58" } }>["memcmp"]["bytes"];

/** The sale account and other accounts, all at one slot. */
export interface AccountsAtSlot {
  readonly slot: bigint;
  readonly sale: SettlementSale;
  /** Data in the requested order; undefined for an account that doesn't exist. */
  readonly others: readonly (Uint8Array | undefined)[];
}

/** The list of a sale's entities, and the sale, which is requested at the same time. */
export interface Poll {
  readonly slot: bigint;
  readonly entities: PolledEntities;
  readonly sale: SettlementSale;
  readonly saleSlot: bigint;
  /** The newest slot that the node has seen, confirmed or not. */
  readonly headSlot: bigint;
  /** The chain's clock at `saleSlot`; absent if the node doesn't have it. */
  readonly timeSeconds: bigint | undefined;
}

/** Reads the accounts of one sale from the nodes of its chain. Every method may throw SourceFault. */
export class SaleAccounts {
  readonly #chain: SvmChain;
  readonly #saleAccount: string;
  readonly #saleKey: Uint8Array;
  readonly #rpc: SvmRpc;
  /** Asks for the sale accounts of all readers of the chain at once. */
  readonly #shared: SharedAccounts | undefined;
  /** Asks for lists of entities: URLs whose list is doubted last. */
  readonly #listRpc: SvmRpc;
  /** Asks for a list that is to confirm the last one: the URL of that one last. */
  readonly #secondListRpc: SvmRpc;
  /** Asks for accounts that a list lacks: the URL of the list last. */
  readonly #checkRpc: SvmRpc;
  /** URLs that have answered. */
  #answered = new Set<JsonRpcUrl>();
  /** The URL that has answered the last list of entities. */
  #lister: ReadonlySet<JsonRpcUrl> = new Set();
  #doubted: ReadonlySet<JsonRpcUrl> = new Set();
  /** An entity of the last list, by which the program's way of deriving addresses is seen. */
  #listed: EntityAccount | undefined;
  /** Nodes may have lower bounds than the limit, which halving finds. Another node, or the same later, may have a higher one. */
  #maxAccounts = MAX_ACCOUNTS_PER_CALL;
  #answeredNearBound = 0;

  /** @param saleAccount base58 of 32 bytes. @param shared absent for a reader that reads alone */
  constructor(chain: SvmChain, saleAccount: string, rpc: SvmRpc, shared?: SharedAccounts) {
    this.#chain = chain;
    this.#shared = shared;
    this.#saleAccount = saleAccount;
    this.#saleKey = base58.decode(saleAccount);
    const onAnswer = (url: JsonRpcUrl) => this.#answered.add(url);
    this.#rpc = onceLoaded(rpc, { onAnswer });
    this.#checkRpc = onceLoaded(rpc, { last: () => this.#lister, onAnswer });
    const onList = (url: JsonRpcUrl) => {
      onAnswer(url);
      this.#lister = new Set([url]);
    };
    this.#listRpc = onceLoaded(rpc, { last: () => this.#doubted, onAnswer: onList });
    this.#secondListRpc = onceLoaded(rpc, { last: () => this.#lister, onAnswer: onList });
  }

  /** The URLs that have answered since the last call. */
  takeAnswered(): ReadonlySet<JsonRpcUrl> {
    const answered = this.#answered;
    this.#answered = new Set();
    return answered;
  }

  /** Handles that the last list of entities may lack some: other URLs are asked first from now on. */
  doubtList(): void {
    this.#doubted = this.#lister;
  }

  /** @param minSlot answers from before it are refused. */
  poll(minSlot: bigint, signal: AbortSignal): Promise<Poll> {
    return this.#poll(this.#listRpc, minSlot, signal);
  }

  /** Like `poll`, of another URL than the last list's where there is one. */
  pollAgain(minSlot: bigint, signal: AbortSignal): Promise<Poll> {
    return this.#poll(this.#secondListRpc, minSlot, signal);
  }

  async #poll(listRpc: SvmRpc, minSlot: bigint, signal: AbortSignal): Promise<Poll> {
    const [{ slot, accounts }, sale, head] = await Promise.all([
      this.#list(listRpc, entityFilters(this.#saleAccount), undefined, minSlot, signal),
      this.#saleAndClock(minSlot, signal),
      this.head(signal),
    ]);
    const entities = new PolledEntities(accounts, this.#saleKey);
    this.#listed = entities.table.size === 0 ? undefined : entities.account(0);
    return {
      slot,
      entities,
      sale: sale.sale,
      saleSlot: sale.slot,
      headSlot: newestSlot(slot, sale.slot, head),
      timeSeconds: sale.timeSeconds,
    };
  }

  /** The addresses of the wallet bindings of these entities. They may change before they are read. */
  async bindings(entityIds: readonly string[], minSlot: bigint, signal: AbortSignal): Promise<BindingDirectory> {
    if (entityIds.length > MAX_SINGLE_LISTS) return this.allBindings(minSlot, signal);
    const lists = await Promise.all(entityIds.map((entityId) => this.#bindingsOf(entityId, minSlot, signal)));
    return new BindingDirectory(lists.flat());
  }

  /** Most accounts that a call may ask for besides the sale, at least 2. */
  get maxOthers(): number {
    return this.#maxAccounts - 1;
  }

  /**
   * Reads accounts and the sale by one call.
   *
   * @param addresses at most `maxOthers`, which becomes less if the call is refused for its size.
   * @throws CallTooLarge
   */
  async withSale(addresses: readonly string[], minSlot: bigint, signal: AbortSignal): Promise<AccountsAtSlot> {
    const all = [this.#saleAccount, ...addresses];
    // A larger one that fails, for whatever reason, is tried again only after as many more.
    if (all.length > this.#maxAccounts) this.#answeredNearBound = 0;
    const answer = await this.#accounts(this.#rpc, all, minSlot, signal).catch((error: unknown) => {
      if (error instanceof CallTooLarge) this.#halve(all.length);
      throw error;
    });
    this.#grow(all.length);
    const [sale, ...others] = accountList(answer, all.length, this.#chain.program);
    return { slot: contextSlot(answer), sale: this.#decodeSale(sale), others };
  }

  /** Like `maxOthers`, for one call that is larger than the nodes allowed; undefined unless it is time for that. */
  get trialOthers(): number | undefined {
    return this.#answeredNearBound < CALLS_BEFORE_LARGER ? undefined : this.#largerBound - 1;
  }

  get #largerBound(): number {
    return Math.min(MAX_ACCOUNTS_PER_CALL, this.#maxAccounts * 2);
  }

  #halve(refused: number): void {
    this.#answeredNearBound = 0;
    // Otherwise it was a trial, or another call has halved the bound meanwhile.
    if (refused <= this.#maxAccounts) this.#maxAccounts = Math.max(MIN_ACCOUNTS_PER_CALL, Math.floor(refused / 2));
  }

  #grow(answered: number): void {
    const isBounded = this.#maxAccounts < MAX_ACCOUNTS_PER_CALL;
    if (isBounded && answered * 2 > this.#maxAccounts) this.#answeredNearBound += 1;
    if (answered <= this.#maxAccounts) return;
    this.#answeredNearBound = 0;
    this.#maxAccounts = this.#largerBound;
  }

  /**
   * Asks for the accounts of entities that the last list lacks, each by its address: another URL than that of the list, where there is one.
   * An account that isn't there is evidence; a list without it is none. One of another program isn't the entity's: anybody may send money to
   * the address of a closed account.
   *
   * @param poll the list's sale, and a slot from before which no answer is used.
   * @returns the ID of one that is there after all.
   */
  async findPresent(
    entityIds: readonly string[],
    { saleUuid, minSlot }: { readonly saleUuid: string; readonly minSlot: bigint },
    signal: AbortSignal,
  ): Promise<string | undefined> {
    this.#requireDerived(saleUuid);
    const read = async (part: readonly string[]) => {
      const addresses = part.map((entityId) => this.#derived(entityId));
      const answer = await this.#accounts(this.#checkRpc, addresses, minSlot, signal);
      const accounts = ownedAccountList(answer, part.length);
      return accounts.map((account) => account?.owner === this.#chain.program);
    };
    for (let begin = 0; begin < entityIds.length; begin += this.#maxAccounts) {
      const part = entityIds.slice(begin, begin + this.#maxAccounts);
      const present = await readHalving(part, read, (_, error) => {
        throw error;
      });
      const index = present.indexOf(true);
      if (index >= 0) return part[index];
    }
    return undefined;
  }

  #derived(entityId: string): string {
    const address = entityAddress({ program: this.#chain.program, saleAccount: this.#saleAccount }, entityId);
    if (address === undefined) throw new Error(`entity 0x${entityId} has no address`);
    return address;
  }

  /** @throws SourceFault if accounts aren't where the reference program has them, so that nobody knows where to look for one. */
  #requireDerived(saleUuid: string): void {
    const listed = this.#listed;
    const isDerived =
      listed === undefined
        ? saleAddress(this.#chain.program, saleUuid) === this.#saleAccount
        : this.#derived(listed.entityId) === listed.address;
    if (isDerived) return;
    const problem =
      "the nodes' list lacks entities, and the program doesn't have its accounts where the reference program has them";
    throw new SourceFault(`${problem}, so nobody can ask whether they are gone: use the reference program`, {
      remedy: "mend",
    });
  }

  async #saleAndClock(minSlot: bigint, signal: AbortSignal) {
    const shared = await this.#shared?.withClock(this.#saleAccount, minSlot, signal);
    if (shared !== undefined) this.#answered.add(shared.url);
    try {
      if (shared !== undefined) return this.#decodeSaleAndClock(shared.answer);
    } catch (error) {
      // What is wrong with the sale is said by an answer about it alone.
      if (!(error instanceof SourceFault)) throw error;
    }
    const alone = await this.#accounts(this.#rpc, [CLOCK_ACCOUNT, this.#saleAccount], minSlot, signal);
    return this.#decodeSaleAndClock(alone);
  }

  #decodeSaleAndClock(answer: unknown) {
    const [clock, ...own] = listedAccounts(answer, 2);
    const [sale] = own.map((account) => accountBytes(account, this.#chain.program));
    return { slot: contextSlot(answer), sale: this.#decodeSale(sale), timeSeconds: clockSeconds(clock) };
  }

  async #accounts(rpc: SvmRpc, addresses: readonly string[], minSlot: bigint, signal: AbortSignal): Promise<unknown> {
    const methods = await rpc();
    const config = { commitment: this.#chain.commitment, encoding: "base64", minContextSlot: minSlot } as const;
    return methods.getMultipleAccounts(addresses as RpcAddress[], config).send({ abortSignal: signal });
  }

  #decodeSale(data: Uint8Array | undefined): SettlementSale {
    if (data === undefined) throw this.#noSale();
    return decodeAccount(this.#saleAccount, () => decodeSettlementSale(data));
  }

  #noSale(): SourceFault {
    const message = `chain ${this.#chain.name} has no account ${this.#saleAccount}: check the address and the cluster`;
    return new SourceFault(message, { remedy: "mend" });
  }

  /** The newest slot that a node has seen, confirmed or not. */
  async head(signal: AbortSignal): Promise<bigint> {
    const rpc = await this.#rpc();
    const slot: unknown = await rpc.getSlot({ commitment: "processed" }).send({ abortSignal: signal });
    if (typeof slot !== "bigint") throw unusableAnswer("it names no slot");
    return slot;
  }

  async allBindings(minSlot: bigint, signal: AbortSignal): Promise<BindingDirectory> {
    const slice = { offset: BINDING_ENTITY_OFFSET, length: ENTITY_ID_BYTES };
    const { accounts } = await this.#list(this.#rpc, bindingFilters(this.#saleAccount), slice, minSlot, signal);
    const rows = accounts.map(({ address, data }) => {
      if (data.length !== ENTITY_ID_BYTES) throw unusableAnswer(`account ${address} is cut short`);
      return { address, entityId: Buffer.from(data).toString("hex") };
    });
    return new BindingDirectory(rows);
  }

  async #bindingsOf(entityId: string, minSlot: bigint, signal: AbortSignal) {
    const ofEntity = filter(BINDING_ENTITY_OFFSET, base58.encode(Buffer.from(entityId, "hex")));
    const filters = [...bindingFilters(this.#saleAccount), ofEntity];
    const { accounts } = await this.#list(this.#rpc, filters, { offset: 0, length: 0 }, minSlot, signal);
    return accounts.map(({ address }) => ({ address, entityId }));
  }

  async #list(
    rpc: SvmRpc,
    filters: readonly ListFilter[],
    dataSlice: ListConfig["dataSlice"],
    minSlot: bigint,
    signal: AbortSignal,
  ): Promise<{ readonly slot: bigint; readonly accounts: readonly ListedAccount[] }> {
    const { commitment, program } = this.#chain;
    const base = { commitment, encoding: "base64", filters, minContextSlot: minSlot, withContext: true } as const;
    const config = dataSlice === undefined ? base : { ...base, dataSlice };
    const methods = await rpc();
    const answer: unknown = await methods
      .getProgramAccounts(program as RpcAddress, config)
      .send({ abortSignal: signal });
    return { slot: contextSlot(answer), accounts: programAccounts(answer, program) };
  }
}

/** Requests with the same options, for which the methods are made once. */
function onceLoaded(rpc: SvmRpc, options: SendOptions): SvmRpc {
  let methods: ReturnType<SvmRpc> | undefined;
  return () => {
    methods ??= rpc(options);
    return methods;
  };
}

function entityFilters(sale: string): readonly ListFilter[] {
  return [filter(0, base58.encode(DISCRIMINATOR.entityState)), filter(ENTITY_SALE_OFFSET, sale)];
}

function bindingFilters(sale: string): readonly ListFilter[] {
  return [filter(0, base58.encode(DISCRIMINATOR.walletBinding)), filter(BINDING_SALE_OFFSET, sale)];
}

function filter(offset: number, bytes: string): ListFilter {
  return { memcmp: { offset: BigInt(offset), bytes: bytes as FilterBytes, encoding: "base58" } };
}

/** Whether the sale and the list are of the same slot, so that their sums can be compared. */
export function isSameSlot({ slot, saleSlot }: Poll): boolean {
  return slot === saleSlot;
}

export function newestSlot(...slots: readonly bigint[]): bigint {
  return slots.toSorted((a, b) => Number(b - a))[0] ?? 0n;
}
