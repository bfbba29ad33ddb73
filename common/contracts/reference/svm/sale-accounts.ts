import { Buffer } from "node:buffer";
import { base58 } from "@scure/base";
import type { SolanaRpcApi } from "@solana/rpc";
import type { SvmChain } from "../../../chains/base/chain.ts";
import { SourceFault } from "../../../chains/base/source-fault.ts";
import {
  accountBytes,
  accountList,
  contextSlot,
  decodeAccount,
  type ListedAccount,
  listedAccounts,
  programAccounts,
  unusableAnswer,
} from "../../../chains/svm/account-answer.ts";
import { CallTooLarge } from "../../../chains/svm/call-too-large.ts";
import { CLOCK_ACCOUNT, clockSeconds } from "../../../chains/svm/clock-account.ts";
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
import { PolledEntities } from "./polled-entities.ts";

/** Limit of `getMultipleAccounts`. */
const MAX_ACCOUNTS_PER_CALL = 100;
/** The least with which a sale can be read: the sale, an entity and a wallet's binding, all at one slot. */
const MIN_ACCOUNTS_PER_CALL = 3;
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
  /** Nodes may have lower bounds than the limit, which halving finds. */
  #maxAccounts = MAX_ACCOUNTS_PER_CALL;

  /** @param saleAccount base58 of 32 bytes. */
  constructor(chain: SvmChain, saleAccount: string, rpc: SvmRpc) {
    this.#chain = chain;
    this.#saleAccount = saleAccount;
    this.#saleKey = base58.decode(saleAccount);
    this.#rpc = rpc;
  }

  /** @param minSlot answers from before it are refused. */
  async poll(minSlot: bigint, signal: AbortSignal): Promise<Poll> {
    const [{ slot, accounts }, sale, head] = await Promise.all([
      this.#list(entityFilters(this.#saleAccount), undefined, minSlot, signal),
      this.#saleAndClock(minSlot, signal),
      this.head(signal),
    ]);
    return {
      slot,
      entities: new PolledEntities(accounts, this.#saleKey),
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
    const answer = await this.#accounts(all, minSlot, signal).catch((error: unknown) => {
      if (error instanceof CallTooLarge) this.#halve(all.length);
      throw error;
    });
    const [sale, ...others] = accountList(answer, all.length, this.#chain.program);
    return { slot: contextSlot(answer), sale: this.#decodeSale(sale), others };
  }

  #halve(refused: number): void {
    const half = Math.max(MIN_ACCOUNTS_PER_CALL, Math.floor(refused / 2));
    this.#maxAccounts = Math.min(this.#maxAccounts, half);
  }

  async #saleAndClock(minSlot: bigint, signal: AbortSignal) {
    const answer = await this.#accounts([CLOCK_ACCOUNT, this.#saleAccount], minSlot, signal);
    const [clock, ...own] = listedAccounts(answer, 2);
    const [sale] = own.map((account) => accountBytes(account, this.#chain.program));
    return { slot: contextSlot(answer), sale: this.#decodeSale(sale), timeSeconds: clockSeconds(clock) };
  }

  async #accounts(addresses: readonly string[], minSlot: bigint, signal: AbortSignal): Promise<unknown> {
    const rpc = await this.#rpc();
    const config = { commitment: this.#chain.commitment, encoding: "base64", minContextSlot: minSlot } as const;
    return rpc.getMultipleAccounts(addresses as RpcAddress[], config).send({ abortSignal: signal });
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
    const { accounts } = await this.#list(bindingFilters(this.#saleAccount), slice, minSlot, signal);
    const rows = accounts.map(({ address, data }) => {
      if (data.length !== ENTITY_ID_BYTES) throw unusableAnswer(`account ${address} is cut short`);
      return { address, entityId: Buffer.from(data).toString("hex") };
    });
    return new BindingDirectory(rows);
  }

  async #bindingsOf(entityId: string, minSlot: bigint, signal: AbortSignal) {
    const ofEntity = filter(BINDING_ENTITY_OFFSET, base58.encode(Buffer.from(entityId, "hex")));
    const filters = [...bindingFilters(this.#saleAccount), ofEntity];
    const { accounts } = await this.#list(filters, { offset: 0, length: 0 }, minSlot, signal);
    return accounts.map(({ address }) => ({ address, entityId }));
  }

  async #list(
    filters: readonly ListFilter[],
    dataSlice: ListConfig["dataSlice"],
    minSlot: bigint,
    signal: AbortSignal,
  ): Promise<{ readonly slot: bigint; readonly accounts: readonly ListedAccount[] }> {
    const { commitment, program } = this.#chain;
    const base = { commitment, encoding: "base64", filters, minContextSlot: minSlot, withContext: true } as const;
    const config = dataSlice === undefined ? base : { ...base, dataSlice };
    const rpc = await this.#rpc();
    const answer: unknown = await rpc.getProgramAccounts(program as RpcAddress, config).send({ abortSignal: signal });
    return { slot: contextSlot(answer), accounts: programAccounts(answer, program) };
  }
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
