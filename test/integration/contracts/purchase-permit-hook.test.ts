import {
  type Address,
  decodeErrorResult,
  encodeDeployData,
  getAddress,
  type Hex,
  hexToBytes,
  pad,
  parseEventLogs,
  toFunctionSelector,
  toHex,
} from "viem";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { encodeEvmPermit } from "../../../common/chains/evm/evm-permit.ts";
import { purchasePermitHook } from "../../../contracts/purchase-permit-hook.ts";
import { findAnvil } from "../../../services/demo/chain/find-anvil.ts";
import type { SigningKey } from "../../../services/entities/base/permit-signer.ts";
import { storedKeySigner } from "../../../services/entities/permit-keys/stored-key-signer.ts";
import { type Anvil, startAnvil } from "../../support/chains/anvil.ts";
import {
  auctionCall,
  type DeployedAuction,
  deployContinuousAuction,
  mineTo,
  Q96,
  submitBid,
} from "../../support/chains/continuous-auction.ts";
import { fund, minedReceipt, revertOf } from "../../support/chains/permit-sale.ts";
import {
  lockupPayload,
  MAX_UINT256,
  type PurchasePermit,
  permitHookData,
  SIGNER_ROLE,
} from "../../support/chains/purchase-permit.ts";
import { TestChain } from "../../support/chains/test-chain.ts";
import { entityOf } from "../../support/databases/sale-rows.ts";
import { readRepository } from "../../support/repository/repository.ts";

const { abi } = purchasePermitHook;
const SALE_UUID = "0x11111111111141118111111111111111";
/** The chain's time, in seconds since 1970. */
const NOW = 1_704_060_100n;
/** A permit's greatest price: no bound. */
const NO_MAX_PRICE = 2n ** 53n - 1n;
/** The order of secp256k1. */
const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
const SPACING = Q96 / 10n;
const SUPPLY = 1_000_000n;
/** Fixed, as an estimate counts no checkpoint: the newest block has one, and the next has none yet. */
const GAS = 2_000_000n;

/** A bid to try; what is absent has a default. */
interface Attempt {
  readonly permit?: Partial<PurchasePermit>;
  readonly key?: SigningKey;
  readonly amount?: bigint;
  /** A multiple of the tick spacing; 20 by default, twice the floor. */
  readonly price?: bigint;
  readonly owner?: Address;
  readonly from?: Address;
  readonly auction?: DeployedAuction;
  /** Changes the signature. */
  readonly spoil?: (signature: Hex) => Hex;
  /** Changes the permit after it was signed. */
  readonly forged?: Partial<PurchasePermit>;
  readonly hookData?: Hex;
}

const isAbsent = findAnvil() === undefined;

describe.skipIf(isAbsent).each(["1.0.0", "1.1.0"] as const)(
  "the contract PurchasePermitHook (anvil, auction %s)",
  (version) => {
    const signer = storedKeySigner(new Uint8Array(32).fill(7));
    let anvil: Anvil;
    let chain: TestChain;
    let wallet: Address;
    let other: Address;
    let revoker: Address;
    let key: SigningKey;
    let nextKey: SigningKey;
    let strangerKey: SigningKey;
    let hook: Address;
    let auction: DeployedAuction;
    let secondAuction: DeployedAuction;
    let openAuction: DeployedAuction;
    let fresh: Hex;

    beforeAll(async () => {
      anvil = await startAnvil({ mining: "auto", timestamp: Number(NOW) });
      chain = await TestChain.connect(anvil);
      await chain.client.setBlockTimestampInterval({ interval: 0 });
      [, wallet = chain.account, other = chain.account, revoker = chain.account] = await chain.client.getAddresses();
      [key, nextKey, strangerKey] = [await newKey("a"), await newKey("b"), await newKey("c")];
      hook = await deployHook([key, nextKey]);
      auction = await deployAuction(hook);
      secondAuction = await deployAuction(hook);
      openAuction = await deployAuction();
    });
    afterAll(() => anvil?.stop());

    beforeEach(async () => {
      fresh = await chain.client.snapshot();
    });
    afterEach(() => chain.client.revert({ id: fresh }));

    async function newKey(digit: string): Promise<SigningKey> {
      const uuid = `${digit.repeat(8)}-0000-4000-8000-000000000000`;
      return { uuid, kind: "evm", ...(await signer.createKey(uuid, "evm")) };
    }

    const addressOf = (each: SigningKey) => getAddress(toHex(each.address));

    function deployHook(keys: readonly SigningKey[], uuid: Hex = SALE_UUID): Promise<Address> {
      return chain.deploy(encodeDeployData({ ...purchasePermitHook, args: [uuid, keys.map(addressOf), revoker] }));
    }

    /** Deploys an auction that has begun, and lets the wallets pay it. */
    async function deployAuction(hookAddress?: Address): Promise<DeployedAuction> {
      const steps = [{ mps: 1n, blocks: 10_000_000n }];
      const terms = { version, steps, supply: SUPPLY, tickSpacing: SPACING, floorPrice: 10n * SPACING };
      const deployed = await deployContinuousAuction(chain, { ...terms, ...(hookAddress && { hook: hookAddress }) });
      for (const account of [wallet, other]) await fund(chain, account, deployed.currency, deployed.address);
      await mineTo(chain, deployed.startBlock);
      return deployed;
    }

    function permitOf(change: Partial<PurchasePermit> = {}): PurchasePermit {
      return {
        saleSpecificEntityID: entityOf(1),
        saleUUID: SALE_UUID,
        wallet,
        expiresAt: NOW + 600n,
        minAmount: 0n,
        maxAmount: MAX_UINT256,
        minPrice: 0n,
        maxPrice: NO_MAX_PRICE,
        opensAt: 0n,
        closesAt: NO_MAX_PRICE,
        payload: "0x",
        ...change,
      };
    }

    /** Signs as the entities service does. */
    async function signatureOf(permit: PurchasePermit, by: SigningKey): Promise<Hex> {
      const { saleSpecificEntityID, saleUUID, payload, ...rest } = permit;
      const encoded = encodeEvmPermit({
        ...rest,
        saleSpecificId: hexToBytes(saleSpecificEntityID),
        saleUuid: hexToBytes(saleUUID),
        wallet: hexToBytes(permit.wallet),
        payload: hexToBytes(payload),
      });
      return toHex(await signer.sign(by, encoded));
    }

    async function request(attempt: Attempt) {
      const { key: by = key, amount = 1_000n, price = 20n, spoil = (same: Hex) => same, forged = {} } = attempt;
      const permit = permitOf(attempt.permit);
      const signature = spoil(await signatureOf(permit, by));
      const { owner = wallet, from = owner, hookData = permitHookData({ ...permit, ...forged }, signature) } = attempt;
      const bid = { maxPrice: price * SPACING, amount, owner, hookData };
      return { ...submitBid(attempt.auction ?? auction, bid), account: from, chain: null, gas: GAS } as const;
    }

    /** `accepted`, or the name of the hook's error with its arguments. */
    async function tried(attempt: Attempt): Promise<readonly unknown[]> {
      const [name, reason] = await revertOf(chain.client.simulateContract((await request(attempt)) as never));
      if (name !== "ValidationHookCallFailed") return [name];
      if (reason === "0x") return ["no named error"];
      const { errorName, args = [] } = decodeErrorResult({ abi, data: reason as Hex });
      return [errorName, ...args];
    }

    const outcome = async (attempt: Attempt) => (await tried(attempt))[0];

    async function place(attempt: Attempt) {
      return minedReceipt(chain, await chain.client.writeContract((await request(attempt)) as never));
    }

    const read = <Result>(of: DeployedAuction, name: string, ...args: readonly unknown[]) =>
      chain.client.readContract(auctionCall(of, name, ...args) as never) as Promise<Result>;

    const ask = (functionName: string, ...args: readonly unknown[]) =>
      chain.client.readContract({ address: hook, abi, functionName, args } as never) as Promise<unknown>;

    it("takes a bid with a permit, as often as its bounds allow", async () => {
      expect(await tried({})).toEqual(["accepted"]);
      const bounded = { permit: { minAmount: 1_000n, maxAmount: 2_000n, minPrice: 20n, maxPrice: 20n } };
      await place(bounded);
      expect(await outcome(bounded)).toBe("accepted");
      expect(await outcome({ key: nextKey })).toBe("accepted");
    });

    it("takes nothing without a permit", async () => {
      expect(await tried({ hookData: "0x" })).toEqual(["HookDataTooShort", 0n, 480n]);
      expect(await tried({ hookData: toHex(new Uint8Array(479)) })).toEqual(["HookDataTooShort", 479n, 480n]);
      expect(await outcome({ hookData: toHex(new Uint8Array(480)) })).not.toBe("accepted");
      expect(await outcome({ hookData: toHex(new Uint8Array(600).fill(255)) })).toBe("no named error");
    });

    it("refuses whoever isn't a signer of the sale, and any other field than those that were signed", async () => {
      expect(await tried({ key: strangerKey })).toEqual(["UnauthorizedSigner", addressOf(strangerKey)]);
      const changes: readonly Partial<PurchasePermit>[] = [
        { saleSpecificEntityID: entityOf(2) },
        { expiresAt: NOW + 601n },
        { minAmount: 1n },
        { maxAmount: MAX_UINT256 - 1n },
        { minPrice: 1n },
        { maxPrice: NO_MAX_PRICE - 1n },
        { opensAt: 1n },
        { closesAt: NO_MAX_PRICE - 1n },
      ];
      for (const forged of changes)
        expect(await outcome({ forged }), Object.keys(forged)[0]).toBe("UnauthorizedSigner");
      expect(await outcome({ forged: { wallet: other }, owner: other })).toBe("UnauthorizedSigner");
      expect(await outcome({ forged: { payload: pad(other) }, from: other })).toBe("UnauthorizedSigner");
    });

    it("refuses a signature that is cut, was turned into its twin, or that nobody made", async () => {
      const cut = (signature: Hex) => signature.slice(0, -2) as Hex;
      expect(await tried({ spoil: cut })).toEqual(["ECDSAInvalidSignatureLength", 64n]);
      expect(await outcome({ spoil: twin })).toBe("ECDSAInvalidSignatureS");
      expect(await outcome({ spoil: (signature) => `${cut(signature)}1d` })).toBe("ECDSAInvalidSignature");
      expect(await outcome({ spoil: (signature) => `${cut(signature)}00` })).toBe("ECDSAInvalidSignature");
    });

    it("refuses the permit of another sale", async () => {
      const saleUUID = `0x${"22".repeat(16)}` as const;
      expect(await tried({ permit: { saleUUID } })).toEqual(["InvalidSaleUUID", saleUUID, SALE_UUID]);
    });

    it("refuses a permit from the second on in which it expires, and bids outside its window", async () => {
      expect(await tried({ permit: { expiresAt: NOW } })).toEqual(["PurchasePermitExpired", NOW, NOW]);
      expect(await outcome({ permit: { expiresAt: NOW + 1n, opensAt: NOW, closesAt: NOW + 1n } })).toBe("accepted");
      const early = { opensAt: NOW + 1n, closesAt: NOW + 2n };
      expect(await tried({ permit: early })).toEqual(["BidOutsideAllowedWindow", NOW + 1n, NOW + 2n, NOW]);
      expect(await outcome({ permit: { closesAt: NOW } })).toBe("BidOutsideAllowedWindow");
    });

    it("refuses bids for another owner, and bids that another account sends", async () => {
      expect(await tried({ owner: other })).toEqual(["InvalidOwner", other, wallet]);
      expect(await tried({ from: other })).toEqual(["InvalidSender", other, wallet]);
    });

    it("takes bids from the sender that the payload names, and from nobody else", async () => {
      const permit = { payload: pad(other) };
      expect(await outcome({ permit, from: other })).toBe("accepted");
      expect(await tried({ permit })).toEqual(["InvalidSender", wallet, other]);
    });

    it("refuses a payload that asks for what it can't enforce", async () => {
      const payloads = [
        lockupPayload(true),
        lockupPayload(false),
        "0x00",
        pad("0x01", { size: 64 }),
        pad(pad(other), { dir: "right", size: 64 }).toLowerCase(),
        toHex(2n ** 160n, { size: 32 }),
      ];
      for (const payload of payloads) {
        expect(await tried({ permit: { payload } as never })).toEqual(["UnsupportedPayload", payload]);
      }
    });

    it("bounds the price in multiples of the tick spacing", async () => {
      const permit = { minPrice: 19n, maxPrice: 21n };
      const prices = [18n, 19n, 21n, 22n];
      const outcomes = [];
      for (const price of prices) outcomes.push(await tried({ permit, price }));
      expect(outcomes).toEqual([
        ["BidPriceBelowMinPrice", 18n * SPACING, 19n * SPACING],
        ["accepted"],
        ["accepted"],
        ["BidPriceExceedsMaxPrice", 22n * SPACING, 21n * SPACING],
      ]);
    });

    it("has no greatest price where the permit has none", async () => {
      const price = (2n ** 160n - 1n) / SPACING;
      expect(await outcome({ price, permit: { maxPrice: NO_MAX_PRICE - 1n } })).toBe("BidPriceExceedsMaxPrice");
      expect(await outcome({ price })).toBe("accepted");
    });

    it("adds up all bids of an entity, from all its wallets, outbid and exited ones too", async () => {
      const permit = { minAmount: 500n, maxAmount: 2_000n };
      expect(await tried({ permit, amount: 499n })).toEqual(["BidBelowMinAmount", 499n, 500n]);
      await place({ permit, amount: 1_500n, price: 11n });
      expect(await tried({ permit, amount: 501n })).toEqual(["BidExceedsMaxAmount", 2_001n, 2_000n]);
      const secondWallet = { permit: { ...permit, wallet: other }, owner: other };
      expect(await outcome({ ...secondWallet, amount: 501n })).toBe("BidExceedsMaxAmount");
      const rival = { permit: { saleSpecificEntityID: entityOf(2), wallet: other }, owner: other };
      await place({ ...rival, amount: 10n * SUPPLY, price: 50n });
      await chain.send(auctionCall(auction, "checkpoint"));
      const outbidBlock = await read<bigint>(auction, "lastCheckpointedBlock");
      const { startBlock } = await read<{ startBlock: bigint }>(auction, "bids", 1n);
      await chain.send(auctionCall(auction, "exitPartiallyFilledBid", 0n, startBlock, outbidBlock));
      expect(await outcome({ permit, amount: 501n, price: 60n })).toBe("BidExceedsMaxAmount");
      await place({ ...secondWallet, amount: 500n, price: 60n });
      expect(await ask("totalOf", auction.address, entityOf(1))).toBe(2_000n);
      expect(await tried({ permit, amount: 1n, price: 60n })).toEqual(["BidExceedsMaxAmount", 2_001n, 2_000n]);
    });

    it("knows the entity of each bid, and logs it", async () => {
      const second = { permit: { saleSpecificEntityID: entityOf(2), wallet: other }, owner: other };
      const receipts = [await place({}), await place(second), await place({ amount: 7n })];
      expect(await ask("entitiesIn", auction.address, 0n, 4n)).toEqual([1, 2, 1, 0].map(entityOf));
      expect(await ask("entityOf", auction.address, 1n)).toBe(entityOf(2));
      const events = receipts.flatMap(({ logs }) => parseEventLogs({ abi, logs }).map(({ args }) => args));
      const entries = [
        [0n, 1, 1_000n],
        [1n, 2, 1_000n],
        [2n, 1, 1_007n],
      ] as const;
      const { address } = auction;
      expect(events).toEqual(
        entries.map(([bidId, entity, total]) => ({
          auction: getAddress(address),
          bidId,
          entity: entityOf(entity),
          total,
        })),
      );
      const submitted = receipts.flatMap(({ logs }) =>
        parseEventLogs({ abi: auction.abi, logs, eventName: "BidSubmitted" }),
      );
      expect(submitted.map(({ args }) => args.id)).toEqual([0n, 1n, 2n]);
    });

    it("is asked before the bid has its ID, and in version 1.0.0 after the checkpoint", async () => {
      const { logs } = await place({});
      const all = [...parseEventLogs({ abi, logs }), ...parseEventLogs({ abi: auction.abi, logs })];
      const order = all.toSorted((a, b) => a.logIndex - b.logIndex).map(({ eventName }) => eventName as string);
      const names = ["BidPermitted", "CheckpointUpdated", "BidSubmitted"];
      const expected = version === "1.0.0" ? ["CheckpointUpdated", "BidPermitted", "BidSubmitted"] : names;
      expect(order.filter((name) => names.includes(name))).toEqual(expected);
    });

    it("refuses the zero entity", async () => {
      expect(await tried({ permit: { saleSpecificEntityID: entityOf(0) } })).toEqual(["ZeroEntityID"]);
    });

    it("keeps callers apart: what another auction or a stranger does counts for them alone", async () => {
      const permit = { maxAmount: 1_000n };
      await place({ permit, auction: secondAuction });
      expect(await ask("entityOf", auction.address, 0n)).toBe(entityOf(0));
      expect(await outcome({ permit })).toBe("accepted");
      const hookData = permitHookData(permitOf(permit), await signatureOf(permitOf(permit), key));
      const args = [20n * SPACING, 1_000n, wallet, wallet, hookData] as const;
      const stranger = { address: hook, abi, functionName: "validate", args, account: other } as const;
      await expect(chain.client.simulateContract(stranger)).rejects.toThrow("reverted");
      await place({ permit });
      expect(await outcome({ permit, amount: 1n })).toBe("BidExceedsMaxAmount");
    });

    it("lets only its revoker take a signer away, and nobody add one", async () => {
      const revoke = { address: hook, abi, functionName: "revokeRole", args: [SIGNER_ROLE, addressOf(key)] } as const;
      expect(await ask("revoker")).toBe(getAddress(revoker));
      expect(await ask("hasRole", SIGNER_ROLE, addressOf(key))).toBe(true);
      expect(await ask("hasRole", pad("0x"), addressOf(key))).toBe(false);
      expect(await revertOf(chain.client.simulateContract({ ...revoke, account: other }))).toEqual([
        "NotRevoker",
        other,
        getAddress(revoker),
      ]);
      const hash = await chain.client.writeContract({ ...revoke, account: revoker, chain: null });
      const { logs } = await minedReceipt(chain, hash);
      const change = { role: SIGNER_ROLE, account: addressOf(key), sender: getAddress(revoker) };
      expect(parseEventLogs({ abi, logs, eventName: "RoleRevoked" }).map(({ args }) => args)).toEqual([change]);
      expect(await ask("hasRole", SIGNER_ROLE, addressOf(key))).toBe(false);
      expect(await tried({})).toEqual(["UnauthorizedSigner", addressOf(key)]);
      expect(await outcome({ key: nextKey })).toBe("accepted");
      const changing = abi.filter((entry) => entry.type === "function" && entry.stateMutability === "nonpayable");
      expect(changing.map((entry) => entry.type === "function" && entry.name).sort()).toEqual([
        "revokeRole",
        "validate",
      ]);
    });

    it("logs each signer that it was made with", async () => {
      const logs = await chain.client.getLogs({ address: hook, fromBlock: 0n });
      const granted = parseEventLogs({ abi, logs, eventName: "RoleGranted" }).map(({ args }) => args);
      const sender = getAddress(chain.account);
      expect(granted).toEqual([key, nextKey].map((each) => ({ role: SIGNER_ROLE, account: addressOf(each), sender })));
    });

    it("isn't made without a sale, or with a signer that a failed recovery would be", async () => {
      const [zeroUuid, zeroAddress] = [`0x${"0".repeat(32)}`, `0x${"0".repeat(40)}`] as const;
      const made = (uuid: Hex, signers: readonly Address[]) =>
        chain.client.call({ data: encodeDeployData({ ...purchasePermitHook, args: [uuid, signers, revoker] }) });
      await expect(made(zeroUuid, [addressOf(key)])).rejects.toThrow(toFunctionSelector("ZeroSaleUUID()"));
      await expect(made(SALE_UUID, [])).rejects.toThrow(toFunctionSelector("NoSigner()"));
      await expect(made(SALE_UUID, [zeroAddress])).rejects.toThrow(toFunctionSelector("ZeroSigner()"));
    });

    it("tells what it is by ERC-165", async () => {
      const validate = toFunctionSelector("validate(uint256,uint128,address,address,bytes)");
      const answers = [];
      for (const id of ["0x01ffc9a7", validate, "0xffffffff"]) answers.push(await ask("supportsInterface", id));
      expect(answers).toEqual([true, true, false]);
    });

    it("costs at most the gas that its page states", async () => {
      const plain = { auction: openAuction, hookData: "0x" } as const;
      // Bids at one tick, as a new tick costs more.
      for (const attempt of [plain, {}]) await place({ ...attempt, permit: { saleSpecificEntityID: entityOf(3) } });
      const [withoutHook, first] = [await place(plain), await place({})];
      const [withoutHookLater, later] = [await place(plain), await place({})];
      const costs = [first.gasUsed - withoutHook.gasUsed, later.gasUsed - withoutHookLater.gasUsed].map(Number);
      const page = readRepository("docs/permit-hook.md");
      const [, firstBound = "", laterBound = ""] = /at most ([\d,]+) gas .*? ([\d,]+)/s.exec(page) ?? [];
      const bounds = [firstBound, laterBound].map((text) => Number(text.replaceAll(",", "")));
      expect(costs[0]).toBeLessThanOrEqual(bounds[0] ?? 0);
      expect(costs[1]).toBeLessThanOrEqual(bounds[1] ?? 0);
      expect(bounds.map((bound, index) => bound - (costs[index] ?? 0)).every((spare) => spare < 3_000)).toBe(true);
    });
  },
);

/** The other signature of the same message, with the high `s`. */
function twin(signature: Hex): Hex {
  const s = ORDER - BigInt(`0x${signature.slice(66, 130)}`);
  const v = signature.slice(130) === "1b" ? "1c" : "1b";
  return `${signature.slice(0, 66) as Hex}${s.toString(16).padStart(64, "0")}${v}`;
}
