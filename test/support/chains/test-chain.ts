import {
  type Abi,
  type Address,
  BaseError,
  createTestClient,
  encodeFunctionData,
  getContractAddress,
  type Hex,
  http,
  publicActions,
  type TransactionReceipt,
  walletActions,
} from "viem";
import { POLL_TIMEOUT_MS } from "../repository/polling.ts";
import type { Anvil } from "./anvil.ts";

/** Default gas limit of a transaction. It is fixed because an estimate would run the transaction twice. */
const DEFAULT_GAS = 10_000_000n;
/**
 * viem ignores new blocks while it checks whether the transaction was replaced. On a chain that mines each transaction at
 * once there is only that block, so the wait would never end.
 */
const NO_REPLACEMENTS = { checkReplacement: false } as const;

/** A state-changing call of a contract. */
export interface ContractCall {
  readonly address: Address;
  readonly abi: Abi;
  readonly functionName: string;
  readonly args: readonly unknown[];
  /** 10,000,000 by default. */
  readonly gas?: bigint;
  /** The chain's own coin that goes with it; none by default. */
  readonly value?: bigint;
}

/** A transaction in the form of JSON-RPC. */
interface Transaction {
  readonly from: Address;
  readonly to?: Address;
  readonly data: Hex;
  readonly gas: Hex;
  readonly value?: Hex;
}

/** A transaction of a replaced block. */
export interface Replacement {
  readonly call: ContractCall;
  /** Its block among the replaced ones: 0 (the oldest) to depth − 1. */
  readonly block: number;
}

export type TestClient = ReturnType<typeof createClient>;

/** A chain that tests write to, from anvil's first account. */
export class TestChain {
  readonly client: TestClient;
  readonly account: Address;
  readonly #mining: Anvil["mining"];
  #unmined: Hex[] = [];

  private constructor(client: TestClient, account: Address, mining: Anvil["mining"]) {
    this.client = client;
    this.account = account;
    this.#mining = mining;
  }

  static async connect(anvil: Pick<Anvil, "url" | "mining">): Promise<TestChain> {
    const client = createClient(anvil.url);
    const [account] = await client.getAddresses();
    if (account === undefined) throw new Error("the chain has no unlocked account");
    return new TestChain(client, account, anvil.mining);
  }

  /**
   * Deploys a contract, in a block of its own.
   *
   * @param setUp calls of the contract in the same block, with manual mining: nobody reads it without them
   * @throws Error when its constructor or one of the calls reverts.
   */
  async deploy(data: Hex, setUp?: (contract: Address) => readonly ContractCall[]): Promise<Address> {
    const calls = setUp === undefined ? [] : setUp(await this.#nextContract());
    const hash = await this.#send({ from: this.account, data, gas: toHex(DEFAULT_GAS) });
    for (const call of calls) await this.send(call);
    if (this.#mining === "manual") await this.mine();
    const { contractAddress } = await this.#receipt(hash);
    if (!contractAddress) throw new Error(`transaction ${hash} deployed no contract`);
    return contractAddress;
  }

  /**
   * Sends a transaction. With manual mining, it waits for the next `mine()`.
   *
   * @returns its hash.
   * @throws Error if it was mined at once and reverted.
   */
  async send(call: ContractCall): Promise<Hex> {
    return this.#send(this.#transaction(call));
  }

  /** Mines all sent transactions, and then empty blocks. @throws Error if a transaction reverted. */
  async mine(blocks = 1): Promise<void> {
    await this.client.mine({ blocks });
    const sent = this.#unmined;
    this.#unmined = [];
    for (const hash of sent) await this.#receipt(hash);
  }

  /**
   * Replaces the latest blocks by as many others, which contain only the given transactions.
   *
   * @param depth number of blocks, 1 or more.
   */
  async reorg(depth: number, replacements: readonly Replacement[] = []): Promise<void> {
    const transactions = replacements.map(({ call, block }) => [this.#transaction(call), block] as const);
    await this.client.request<{ Method: "anvil_reorg"; Parameters: unknown; ReturnType: null }>({
      method: "anvil_reorg",
      params: [depth, transactions],
    });
  }

  /** Returns the address that a contract gets which is deployed by the next transaction. */
  async #nextContract(): Promise<Address> {
    const nonce = await this.client.getTransactionCount({ address: this.account, blockTag: "pending" });
    return getContractAddress({ from: this.account, nonce: BigInt(nonce) });
  }

  async #send(transaction: Transaction): Promise<Hex> {
    // The node numbers transactions itself, now and then with a number that was just used. Then it has taken none.
    const hash = await this.#submit(transaction).catch((error: unknown) => {
      if (!(error instanceof BaseError && error.details.includes("nonce too low"))) throw error;
      return this.#submit(transaction);
    });
    if (this.#mining === "manual") this.#unmined.push(hash);
    else await this.#receipt(hash);
    return hash;
  }

  #submit(transaction: Transaction): Promise<Hex> {
    return this.client.request<{ Method: string; Parameters: unknown; ReturnType: Hex }>({
      method: "eth_sendTransaction",
      params: [transaction],
    });
  }

  async #receipt(hash: Hex): Promise<TransactionReceipt> {
    const receipt = await this.client.waitForTransactionReceipt({ hash, timeout: POLL_TIMEOUT_MS, ...NO_REPLACEMENTS });
    if (receipt.status !== "success") throw new Error(`transaction ${hash} reverted`);
    return receipt;
  }

  #transaction({ address, gas = DEFAULT_GAS, value = 0n, ...call }: ContractCall): Transaction {
    const data = encodeFunctionData(call);
    return { from: this.account, to: address, data, gas: toHex(gas), value: toHex(value) };
  }
}

function createClient(url: string) {
  return createTestClient({ mode: "anvil", transport: http(url, { timeout: POLL_TIMEOUT_MS }), pollingInterval: 10 })
    .extend(publicActions)
    .extend(walletActions);
}

function toHex(quantity: bigint): Hex {
  return `0x${quantity.toString(16)}`;
}
