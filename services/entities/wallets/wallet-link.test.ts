import { generateKeyPairSync, randomUUID, sign } from "node:crypto";
import { create } from "@bufbuild/protobuf";
import { type Client, Code, ConnectError, createClient } from "@connectrpc/connect";
import { secp256k1 } from "@noble/curves/secp256k1";
import { base58 } from "@scure/base";
import { hashMessage, hexToBytes, toHex } from "viem";
import { type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";
import { describe, expect, it } from "vitest";
import { deleteExpiredRows } from "../../../common/platform/db/expired-rows.ts";
import { routerTransport } from "../../../common/platform/rpc/testing/router-transport.ts";
import { WalletKind } from "../../../proto/gen/tidemark/entities/v1/entity_pb.ts";
import { WalletService } from "../../../proto/gen/tidemark/entities/v1/wallet_service_pb.ts";
import {
  type CheckAccountSignatureRequest,
  CheckAccountSignatureResponseSchema,
} from "../../../proto/gen/tidemark/indexer/v1/indexer_service_pb.ts";
import { ALLOWED_CALLERS } from "../allowed-callers.ts";
import { expiredRows } from "../periodic-work.ts";
import { entitiesRoutes } from "../routes.ts";
import { codeOf, type Person, peopleFixture } from "../testing/people-fixture.ts";

const MINUTE_MS = 60_000;
const ACCOUNT = privateKeyToAccount(`0x${"0a".repeat(32)}`);
const OTHER = privateKeyToAccount(`0x${"0b".repeat(32)}`);

/** The answer of a smart account's chain; a code if it gives none. */
type Answer = { readonly valid: boolean; readonly hasCode: boolean } | Code;

/** The RPCs for the wallets of people, with an indexer that answers on command. */
async function given() {
  const fixture = await peopleFixture();
  const asked: CheckAccountSignatureRequest[] = [];
  const state: { answer: Answer } = { answer: { valid: false, hasCode: false } };
  const indexer = {
    ...fixture.dependencies.indexer,
    checkAccountSignature: async (request: object) => {
      asked.push(request as CheckAccountSignatureRequest);
      const { answer } = state;
      if (typeof answer === "number") throw new ConnectError("127.0.0.1: away", answer);
      return create(CheckAccountSignatureResponseSchema, answer);
    },
  };
  const routes = entitiesRoutes({ ...fixture.dependencies, indexer });
  const walletsOf = (
    { accountUuid }: Pick<Person, "accountUuid">,
    sessionUuid?: string,
  ): Client<typeof WalletService> => {
    const actor = { accountUuid, authenticatedAtMs: 0n, ...(sessionUuid !== undefined && { sessionUuid }) };
    return createClient(WalletService, routerTransport({ routes, allowed: ALLOWED_CALLERS, caller: "gateway", actor }));
  };
  const me = fixture.person("me");
  const session = randomUUID();
  const { uuid: entityUuid } = await me.createEntity();
  const wallets = walletsOf(me, session);
  const begin = (address: string = ACCOUNT.address, chainId = 1n) =>
    wallets.beginWalletLink({ entityUuid, kind: WalletKind.EVM, address, chainId });
  const complete = (linkHandle: string, signature: Uint8Array, by = wallets) =>
    by.completeWalletLink({ linkHandle, signature: new Uint8Array(signature) });
  const list = async () => (await me.entities.getEntity({ entityUuid })).wallets.map(({ address }) => address);
  return { fixture, state, asked, walletsOf, me, session, entityUuid, wallets, begin, complete, list };
}

const signed = async (text: string, by: PrivateKeyAccount = ACCOUNT) =>
  hexToBytes(await by.signMessage({ message: text }));

describe("linking a wallet", () => {
  it("gives a text for the session, and links the wallet that has signed it", async () => {
    const { begin, complete, list, fixture, wallets, entityUuid, session } = await given();
    const { linkHandle, text, expiresAt } = await begin(ACCOUNT.address.toLowerCase(), 8_453n);
    expect(text.split("\n")).toEqual(
      expect.arrayContaining([
        ACCOUNT.address,
        "URI: https://auth.example",
        "Chain ID: 8453",
        `Request ID: ${session}`,
      ]),
    );
    expect(Number(expiresAt?.seconds)).toBe(Math.floor((Number(fixture.time.now()) + 10 * MINUTE_MS) / 1_000));
    const { wallet } = await complete(linkHandle, await signed(text));
    expect(wallet).toMatchObject({ kind: WalletKind.EVM, address: ACCOUNT.address, boundSaleUuids: [] });
    expect(await list()).toEqual([ACCOUNT.address]);
    const unlinked = { entityUuid, kind: WalletKind.EVM, address: ACCOUNT.address };
    await wallets.unlinkWallet(unlinked);
    expect(await list()).toEqual([]);
    expect(await codeOf(wallets.unlinkWallet(unlinked))).toBe("not_found");
  });

  it("links an SVM wallet by ed25519", async () => {
    const { wallets, entityUuid, complete, list } = await given();
    const { publicKey, privateKey } = generateKeyPairSync("ed25519");
    const address = base58.encode(publicKey.export({ format: "der", type: "spki" }).subarray(-32));
    const request = { entityUuid, kind: WalletKind.SVM, address, chainId: 0n };
    const { linkHandle, text } = await wallets.beginWalletLink(request);
    expect(text).toContain(`Solana account:\n${address}\n`);
    await complete(linkHandle, sign(null, Buffer.from(text), privateKey));
    expect(await list()).toEqual([address]);
  });

  it("notes where a proof counts: a smart account's on the chains that it has signed for, a key's on all", async () => {
    const { begin, complete, state, me, entityUuid } = await given();
    state.answer = { valid: true, hasCode: true };
    const scope = async (chainId: bigint, signature: (text: string) => Promise<Uint8Array>) => {
      const { linkHandle, text } = await begin(ACCOUNT.address, chainId);
      const { wallet } = await complete(linkHandle, await signature(text));
      const { wallets: listed } = await me.entities.getEntity({ entityUuid });
      expect(listed).toEqual([wallet]);
      return wallet && [wallet.countsEverywhere, wallet.chainIds];
    };
    const asAccount = async () => Uint8Array.of(1);
    expect(await scope(8_453n, asAccount)).toEqual([false, [8_453n]]);
    expect(await scope(1n, asAccount)).toEqual([false, [1n, 8_453n]]);
    expect(await scope(1n, asAccount)).toEqual([false, [1n, 8_453n]]);
    // An account with a key that also has code (EIP-7702).
    expect(await scope(8_453n, (text) => signed(text))).toEqual([true, []]);
    expect(await scope(10n, asAccount)).toEqual([true, []]);
  });

  it("links a wallet once, however often it is signed for", async () => {
    const { begin, complete, list, fixture } = await given();
    const linkedAt = [];
    for (let count = 0; count < 2; count += 1) {
      const { linkHandle, text } = await begin();
      linkedAt.push((await complete(linkHandle, await signed(text))).wallet?.linkedAt?.seconds);
      fixture.time.advance(MINUTE_MS);
    }
    expect(await list()).toEqual([ACCOUNT.address]);
    expect(linkedAt[1]).toBe(linkedAt[0]);
  });

  it("forgets texts once they have expired", async () => {
    const { begin, fixture } = await given();
    const { database } = fixture.dependencies;
    await begin();
    const left = async () => {
      await deleteExpiredRows(database, expiredRows(fixture.time.now(), 0n), new AbortController().signal);
      return database.query.selectFrom("wallet_challenge").select("account").execute();
    };
    fixture.time.advance(10 * MINUTE_MS);
    expect(await left()).toHaveLength(1);
    fixture.time.advance(1);
    expect(await left()).toEqual([]);
  });

  it.each([
    ["another kind's address", { kind: WalletKind.SVM }, "address: must be an SVM address"],
    ["a wrong checksum", { address: ACCOUNT.address.replace("E", "e") }, "address: must carry a right EIP-55 checksum"],
    ["no chain", { chainId: 0n }, "chain_id: must be the EIP-155 ID"],
    ["a chain for SVM", { kind: WalletKind.SVM, address: "1".repeat(32) }, "chain_id: must be 0 for an SVM wallet"],
  ])("refuses %s", async (_, change, message) => {
    const { wallets, entityUuid } = await given();
    const request = { entityUuid, kind: WalletKind.EVM, address: ACCOUNT.address, chainId: 1n, ...change };
    await expect(wallets.beginWalletLink(request)).rejects.toThrow(message);
  });
});

describe("a smart account", () => {
  it("is asked on the text's chain, with the text's hash", async () => {
    const { begin, complete, list, asked, state } = await given();
    state.answer = { valid: true, hasCode: true };
    const { linkHandle, text } = await begin(ACCOUNT.address, 10n);
    const signature = Uint8Array.of(1, 2, 3);
    await complete(linkHandle, signature);
    expect(await list()).toEqual([ACCOUNT.address]);
    const digest = hexToBytes(hashMessage(text));
    expect(asked).toEqual([{ chainId: 10n, account: ACCOUNT.address, digest, signature }]);
  });

  it("is asked also for an empty signature, as one that has signed on its chain has none; a key isn't", async () => {
    const { begin, complete, list, asked, state } = await given();
    state.answer = { valid: true, hasCode: true };
    const { linkHandle, text } = await begin(ACCOUNT.address, 10n);
    await complete(linkHandle, new Uint8Array());
    expect(await list()).toEqual([ACCOUNT.address]);
    expect(asked).toMatchObject([{ digest: hexToBytes(hashMessage(text)), signature: new Uint8Array() }]);
    state.answer = { valid: false, hasCode: false };
    await expect(complete((await begin()).linkHandle, new Uint8Array())).rejects.toThrow("isn't the wallet's own");
  });

  it.each([
    ["that says no", { valid: false, hasCode: true }, "isn't one that the smart account at this address accepts"],
    ["that isn't there", { valid: false, hasCode: false }, "isn't the wallet's own for this text"],
    ["of a chain that isn't configured", Code.NotFound, "smart accounts of this chain can't be asked here"],
  ])("%s isn't linked, and the text is used up", async (_, answer, message) => {
    const { begin, complete, list, state } = await given();
    state.answer = answer;
    const { linkHandle, text } = await begin();
    await expect(complete(linkHandle, Uint8Array.of(1))).rejects.toThrow(message);
    expect(await codeOf(complete(linkHandle, await signed(text)))).toBe("failed_precondition");
    expect(await list()).toEqual([]);
  });

  it("that isn't deployed yet isn't linked, and the answer says why", async () => {
    const { begin, complete } = await given();
    const { linkHandle } = await begin();
    const wrapped = Uint8Array.of(1, ...Buffer.from("6492".repeat(16), "hex"));
    await expect(complete(linkHandle, wrapped)).rejects.toThrow("isn't on its chain yet; deploy the account first");
  });

  it.each([Code.Unavailable, Code.ResourceExhausted, Code.DeadlineExceeded])(
    "that can't be asked (%i) leaves the text usable, and no node is named",
    async (code) => {
      const { begin, complete, list, state } = await given();
      state.answer = code;
      const { linkHandle } = await begin();
      const failing = complete(linkHandle, Uint8Array.of(1));
      await expect(failing).rejects.toThrow("[unavailable] the wallet's chain can't be asked now; try again");
      state.answer = { valid: true, hasCode: true };
      await complete(linkHandle, Uint8Array.of(1));
      expect(await list()).toEqual([ACCOUNT.address]);
    },
  );
});

describe("attacks on links", () => {
  /** Signs another text than the one that was given out. */
  async function withText(change: (text: string) => string) {
    const { begin, complete, list } = await given();
    const { linkHandle, text } = await begin();
    const code = await codeOf(complete(linkHandle, await signed(change(text))));
    return { code, wallets: await list() };
  }

  it.each<[string, (text: string) => string]>([
    ["a text of another domain", (text) => text.replaceAll("auth.example", "evil.example")],
    ["a text for another chain", (text) => text.replace("Chain ID: 1", "Chain ID: 5")],
    ["a text with another nonce", (text) => text.replace(/Nonce: ./, "Nonce: x")],
    ["a text of another session", (text) => text.replace(/Request ID: .*/, `Request ID: ${randomUUID()}`)],
    ["a text that expires later", (text) => text.replace(/Expiration Time: \d+/, "Expiration Time: 9999")],
  ])("%s", async (_, change) => {
    expect(await withText(change)).toEqual({ code: "invalid_argument", wallets: [] });
  });

  it("a nonce used twice", async () => {
    const { begin, complete } = await given();
    const { linkHandle, text } = await begin();
    const signature = await signed(text);
    await complete(linkHandle, signature);
    expect(await codeOf(complete(linkHandle, signature))).toBe("failed_precondition");
  });

  it("a nonce used after a wrong signature", async () => {
    const { begin, complete, list } = await given();
    const { linkHandle, text } = await begin();
    expect(await codeOf(complete(linkHandle, await signed(text, OTHER)))).toBe("invalid_argument");
    expect(await codeOf(complete(linkHandle, await signed(text)))).toBe("failed_precondition");
    expect(await list()).toEqual([]);
  });

  it("an expired text", async () => {
    const { begin, complete, fixture } = await given();
    const early = await begin();
    fixture.time.advance(10 * MINUTE_MS - 1);
    await complete(early.linkHandle, await signed(early.text));
    const late = await begin();
    fixture.time.advance(10 * MINUTE_MS);
    expect(await codeOf(complete(late.linkHandle, await signed(late.text)))).toBe("failed_precondition");
  });

  it("another session of the same account, another account, and a call without a session", async () => {
    const { begin, complete, walletsOf, me, session, fixture, entityUuid } = await given();
    const { linkHandle, text } = await begin();
    const signature = await signed(text);
    const stranger = fixture.person("stranger");
    for (const by of [walletsOf(me, randomUUID()), walletsOf(stranger, session)]) {
      expect(await codeOf(complete(linkHandle, signature, by))).toBe("failed_precondition");
    }
    const without = walletsOf(me);
    expect(await codeOf(complete(linkHandle, signature, without))).toBe("unauthenticated");
    const request = { entityUuid, kind: WalletKind.EVM, address: ACCOUNT.address, chainId: 1n };
    expect(await codeOf(without.beginWalletLink(request))).toBe("unauthenticated");
    await complete(linkHandle, signature);
  });

  it("another account's entity", async () => {
    const { walletsOf, fixture, entityUuid } = await given();
    const strangers = walletsOf(fixture.person("stranger"), randomUUID());
    const wallet = { entityUuid, kind: WalletKind.EVM, address: ACCOUNT.address };
    for (const call of [strangers.beginWalletLink({ ...wallet, chainId: 1n }), strangers.unlinkWallet(wallet)]) {
      expect(await codeOf(call)).toBe("not_found");
    }
  });

  it("an entity that was deleted after the text was given out", async () => {
    const { begin, complete, me, entityUuid } = await given();
    const { linkHandle, text } = await begin();
    await me.entities.deleteEntity({ entityUuid });
    expect(await codeOf(complete(linkHandle, await signed(text)))).toBe("failed_precondition");
  });

  it("a malleable signature (high s)", async () => {
    const { begin, complete } = await given();
    const { linkHandle, text } = await begin();
    const signature = await signed(text);
    const { r, s } = secp256k1.Signature.fromCompact(signature.subarray(0, 64));
    const high = new secp256k1.Signature(r, secp256k1.CURVE.n - s).toCompactRawBytes();
    const derived = Uint8Array.of(...high, 55 - (signature[64] ?? 0));
    expect(await codeOf(complete(linkHandle, derived))).toBe("invalid_argument");
  });

  it("a signature of another wallet", async () => {
    const { begin, complete } = await given();
    const { linkHandle, text } = await begin();
    expect(await codeOf(complete(linkHandle, await signed(text, OTHER)))).toBe("invalid_argument");
  });

  it("a handle that was never given out", async () => {
    const { complete } = await given();
    for (const handle of ["", "x", "a".repeat(43)]) {
      expect(await codeOf(complete(handle, Uint8Array.of(1)))).toBe("failed_precondition");
    }
  });

  it("more texts than an account may have in ten minutes, whatever becomes of them", async () => {
    const { begin, complete, fixture, asked } = await given();
    for (let count = 0; count < 30; count += 1) {
      const { linkHandle } = await begin();
      await codeOf(complete(linkHandle, Uint8Array.of(1)));
      fixture.time.advance(1_000);
    }
    expect(asked).toHaveLength(30);
    const refusal = ConnectError.from(await begin().catch((error: unknown) => error));
    expect(refusal).toMatchObject({ code: Code.ResourceExhausted });
    expect(refusal.metadata.get("retry-after")).toBe("570");
    fixture.time.advance(570_000);
    await begin();
    expect(await codeOf(begin())).toBe("resource_exhausted");
  });

  it("more wallets than an entity may have", async () => {
    const { begin, complete, fixture, list } = await given();
    const keys = Array.from({ length: 52 }, (_, index) => privateKeyToAccount(toHex(index + 1, { size: 32 })));
    const texts = [];
    for (const key of keys.slice(0, 51)) {
      fixture.time.advance(10 * MINUTE_MS);
      const { linkHandle, text } = await begin(key.address);
      texts.push({ linkHandle, signature: await signed(text, key) });
      if (texts.length < 50) await complete(linkHandle, texts.at(-1)?.signature ?? new Uint8Array());
    }
    // The last two were given out while there was room for one.
    fixture.time.advance(-10 * MINUTE_MS);
    const [one, two] = texts.slice(-2).map(
      ({ linkHandle, signature }) =>
        () =>
          complete(linkHandle, signature),
    );
    await one?.();
    fixture.time.advance(10 * MINUTE_MS);
    expect(await codeOf(two?.() ?? Promise.resolve())).toBe("failed_precondition");
    expect(await codeOf(begin(keys[51]?.address))).toBe("failed_precondition");
    expect(await list()).toHaveLength(50);
    await begin(keys[0]?.address);
  });
});
