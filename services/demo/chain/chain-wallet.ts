import { type Address, BaseError, ContractFunctionRevertedError, type Hex } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import type { Permit } from "../../../client/index.ts";
import type { ConfirmedTransaction, PermitBid, TestWallet } from "../bidders/permit-bid.ts";
import { type ChainClient, chainClient, mined } from "./chain-client.ts";
import { AUCTION_CONTRACT, USUAL_GAS } from "./deploy-auction.ts";
import { freeToken } from "./free-token.ts";
import { permitSale } from "./permit-sale.ts";

type OnConfirmed = (transaction: ConfirmedTransaction) => void;

/** Makes a wallet with a new key. @param url of the demo's chain */
export function newChainWallet(url: string): TestWallet {
  return new ChainWallet(chainClient(url));
}

class ChainWallet implements TestWallet {
  readonly #client: ChainClient;
  readonly #account = privateKeyToAccount(generatePrivateKey());

  constructor(client: ChainClient) {
    this.#client = client;
  }

  get address(): string {
    return this.#account.address;
  }

  async bid(bid: PermitBid, onConfirmed: OnConfirmed): Promise<void> {
    try {
      await this.#fund(bid, onConfirmed);
      await this.#place(bid, onConfirmed);
    } catch (error) {
      throw new Error(reasonOf(error), { cause: error });
    }
  }

  /** Mints the whole amount each time, as it costs nothing: a raise takes only the difference. */
  async #fund({ token, amount }: PermitBid, onConfirmed: OnConfirmed): Promise<void> {
    const client = this.#client;
    const contract = { address: token as Address, abi: freeToken.abi, ...this.#sender } as const;
    const mint = { ...contract, functionName: "mint", args: [this.#account.address, amount] } as const;
    await client.simulateContract(mint);
    await this.#confirm(
      await client.writeContract({ ...mint, chain: null }),
      `mint(${this.address}, ${amount}) of ${token}`,
      onConfirmed,
    );
    const approve = { ...contract, functionName: "approve", args: [AUCTION_CONTRACT, amount] } as const;
    const call = `approve(${AUCTION_CONTRACT}, ${amount}) of ${token}`;
    await this.#confirm(await client.writeContract({ ...approve, chain: null }), call, onConfirmed);
  }

  /** Bids once a trial without a transaction has succeeded, since only that says why the contract refuses. */
  async #place({ token, amount, priceTicks, permit }: PermitBid, onConfirmed: OnConfirmed): Promise<void> {
    const bid = { lockup: forcesLockup(permit.PermitJSON), price: priceTicks, amount };
    const request = {
      address: AUCTION_CONTRACT,
      abi: permitSale.abi,
      functionName: "replaceBidWithApproval",
      args: [token as Address, bid, contractPermit(permit.PermitJSON), permit.Signature as Hex],
      ...this.#sender,
    } as const;
    await this.#client.simulateContract(request);
    const hash = await this.#client.writeContract({ ...request, chain: null });
    const shown = `lockup: ${bid.lockup}, price: ${priceTicks}, amount: ${amount}`;
    const call = `replaceBidWithApproval(${token}, {${shown}}, permit, signature) of ${AUCTION_CONTRACT}`;
    await this.#confirm(hash, call, onConfirmed);
  }

  async #confirm(hash: Hex, call: string, onConfirmed: OnConfirmed): Promise<void> {
    const { blockNumber: block } = await mined(this.#client, hash);
    onConfirmed({ call, hash, block });
  }

  /** Gas has no price, so that a wallet needs no coins. */
  get #sender() {
    return { account: this.#account, gas: USUAL_GAS, type: "legacy", gasPrice: 0n } as const;
  }
}

/** A permit as the contract's tuple. */
function contractPermit(permit: Permit) {
  return {
    saleSpecificEntityID: permit.SaleSpecificEntityID as Hex,
    saleUUID: permit.SaleUUID as Hex,
    wallet: permit.Wallet as Address,
    expiresAt: BigInt(permit.ExpiresAt),
    minAmount: BigInt(permit.MinAmount),
    maxAmount: BigInt(permit.MaxAmount),
    minPrice: BigInt(permit.MinPrice),
    maxPrice: BigInt(permit.MaxPrice),
    opensAt: BigInt(permit.OpensAt),
    closesAt: BigInt(permit.ClosesAt),
    payload: permit.Payload as Hex,
  };
}

/** Whether the bid must have a lockup: the payload is `abi.encode(bool)`. */
function forcesLockup({ Payload }: Permit): boolean {
  return /[1-9a-f]/.test(Payload.slice("0x".length));
}

/** The contract's error with its arguments, or the first line of another one. */
function reasonOf(error: unknown): string {
  if (!(error instanceof BaseError)) return error instanceof Error ? error.message : String(error);
  const reverted = error.walk((cause) => cause instanceof ContractFunctionRevertedError);
  if (!(reverted instanceof ContractFunctionRevertedError)) return `the chain doesn’t answer: ${error.shortMessage}`;
  const { errorName = "no reason given", args = [] } = reverted.data ?? {};
  return `the contract refuses: ${errorName}(${args.join(", ")})`;
}
