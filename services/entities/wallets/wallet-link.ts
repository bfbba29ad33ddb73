import { randomBytes } from "node:crypto";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import type { HandlerContext, ServiceImpl } from "@connectrpc/connect";
import type { Kysely, Transaction } from "kysely";
import { isForUndeployed, personalDigest } from "../../../common/chains/evm/personal-signature.ts";
import { linkText } from "../../../common/chains/link-text.ts";
import { formatWallet, parseWallet, type Wallet, walletKey } from "../../../common/chains/wallet.ts";
import { isSignedByKey, maySignAsAccount } from "../../../common/chains/wallet-signatures.ts";
import { invalidArgument, ServiceError } from "../../../common/platform/errors/service-error.ts";
import { toServiceError } from "../../../common/platform/rpc/errors.ts";
import { chainFamilyOf } from "../../../common/sale/definition/wallet-kind.ts";
import type { LinkedWallet } from "../../../proto/gen/tidemark/entities/v1/entity_pb.ts";
import type { WalletService } from "../../../proto/gen/tidemark/entities/v1/wallet_service_pb.ts";
import { requirePerson } from "../authority/person.ts";
import type { EntitiesContext } from "../base/context.ts";
import { LINK_CHALLENGE_LIFETIME_MS } from "../base/lifetimes.ts";
import type { EntitiesSchema } from "../base/schema.ts";
import { ensureAccount, lockAccount } from "../entities/closed-accounts-store.ts";
import { lockOwnEntity } from "../entities/own-entity.ts";
import { type LinkChallenge, MAX_CHALLENGES, MAX_LINKED_WALLETS } from "./link-challenge.ts";
import {
  type ChallengeHolder,
  readChallengeTimes,
  returnChallenge,
  storeChallenge,
  takeChallenge,
} from "./link-challenges-store.ts";
import { EVERY_CHAIN, type ProofChain } from "./proof-chain.ts";
import { linkWallet, readWalletLinks } from "./wallet-links-store.ts";

const HANDLE_BYTES = 32;
const NONCE_BYTES = 16;

export function beginWalletLink(dependencies: EntitiesContext): ServiceImpl<typeof WalletService>["beginWalletLink"] {
  return async ({ entityUuid, kind, address, chainId }, context) => {
    const person = requireSession(context);
    const wallet = parseWallet(chainFamilyOf(kind), address, "address");
    checkChain(wallet, chainId);
    const issuedAtMs = dependencies.clock();
    const times = { issuedAtMs, expiresAtMs: issuedAtMs + LINK_CHALLENGE_LIFETIME_MS };
    const nonce = randomBytes(NONCE_BYTES).toString("hex");
    const text = linkText(dependencies.site, { wallet, chainId, nonce, sessionUuid: person.sessionUuid, ...times });
    const challenge: LinkChallenge = {
      ...{ entityUuid: entityUuid.toLowerCase(), ...person, wallet, chainId, text },
      ...{ createdAtMs: issuedAtMs, expiresAtMs: times.expiresAtMs },
    };
    const linkHandle = randomBytes(HANDLE_BYTES).toString("base64url");
    await store(dependencies, linkHandle, challenge);
    return { linkHandle, text, expiresAt: timestampFromMs(Number(times.expiresAtMs)) };
  };
}

/** Stores a text, under the account's lock, so that concurrent requests can't exceed their number. */
async function store({ database }: EntitiesContext, handle: string, challenge: LinkChallenge): Promise<void> {
  const { accountUuid, entityUuid, wallet, createdAtMs } = challenge;
  await ensureAccount(database, accountUuid);
  await database.write(async (transaction) => {
    const { closed } = await lockAccount(transaction, database.dialect, accountUuid);
    if (closed) throw new ServiceError("failed_precondition", "the account is being deleted");
    await lockOwnEntity(transaction, database.dialect, entityUuid, accountUuid);
    await checkRoom(transaction, entityUuid, wallet);
    await checkPace(transaction, accountUuid, createdAtMs);
    await storeChallenge(transaction, handle, challenge);
  });
}

/** @throws ServiceError `resource_exhausted` for too many texts of an account */
async function checkPace(transaction: Transaction<EntitiesSchema>, accountUuid: string, nowMs: bigint): Promise<void> {
  const times = await readChallengeTimes(transaction, accountUuid, nowMs - LINK_CHALLENGE_LIFETIME_MS);
  const freeing = times.at(-MAX_CHALLENGES);
  if (freeing === undefined) return;
  const waitMs = freeing + LINK_CHALLENGE_LIFETIME_MS - nowMs;
  const retryAfterSeconds = Math.max(1, Math.ceil(Number(waitMs) / 1_000));
  throw new ServiceError("resource_exhausted", "too many wallets are being linked; try again later", {
    retryAfterSeconds,
  });
}

function checkChain(wallet: Wallet, chainId: bigint): void {
  const problem = { field: "chain_id", rule: "wallet.chain" };
  // A smart account is on one chain, which is asked whether it has signed.
  const isOfOneChain = maySignAsAccount(wallet);
  if (isOfOneChain && chainId === 0n) {
    throw invalidArgument([{ ...problem, message: "must be the EIP-155 ID of the chain that the wallet is on" }]);
  }
  if (!isOfOneChain && chainId !== 0n) {
    throw invalidArgument([{ ...problem, message: "must be 0 for an SVM wallet" }]);
  }
}

/** A text's signature is checked once: whoever sends a wrong one begins again. */
export function completeWalletLink(
  dependencies: EntitiesContext,
): ServiceImpl<typeof WalletService>["completeWalletLink"] {
  const { database, clock } = dependencies;
  return async ({ linkHandle, signature }, context) => {
    const challenge = await takeChallenge(database, linkHandle, requireSession(context), clock());
    if (challenge === undefined) {
      const message = "the text has expired, was used, or was made for another session; begin again";
      throw new ServiceError("failed_precondition", message);
    }
    const chain = await checkOrReturn(dependencies, linkHandle, challenge, new Uint8Array(signature));
    return { wallet: await link(dependencies, challenge, chain) };
  };
}

/** Checks the signature. The text stays usable if the wallet's chain can't be asked. @returns where the proof counts */
async function checkOrReturn(
  dependencies: EntitiesContext,
  handle: string,
  challenge: LinkChallenge,
  signature: Uint8Array<ArrayBuffer>,
): Promise<ProofChain> {
  try {
    return await checkLinkSignature(dependencies, challenge, signature);
  } catch (error) {
    const wasChecked = error instanceof ServiceError && error.code === "invalid_argument";
    if (!wasChecked) await returnChallenge(dependencies.database, handle);
    throw error;
  }
}

async function link(
  { database, clock, linkedWallets }: EntitiesContext,
  { accountUuid, entityUuid, wallet }: LinkChallenge,
  chain: ProofChain,
): Promise<LinkedWallet> {
  const linked = await database.writeLocked(async (transaction) => {
    await lockOwnEntity(transaction, database.dialect, entityUuid, accountUuid);
    await checkRoom(transaction, entityUuid, wallet);
    await linkWallet(transaction, { entityUuid, wallet }, chain, clock());
    return linkedWallets(transaction, entityUuid);
  });
  const address = formatWallet(wallet);
  const linkedWallet = linked.find((each) => each.address === address);
  if (linkedWallet === undefined) throw new Error("a wallet that was just linked isn't among those of its entity");
  return linkedWallet;
}

/**
 * Checks that a wallet has signed the text that was given out: with its key, or as a smart account that says so on the text's
 * chain (EIP-1271).
 *
 * @returns where the proof counts: on every chain for a key's signature, on the text's for a smart account's
 * @throws ServiceError `invalid_argument` if it hasn't; `unavailable` if the chain can't be asked
 */
async function checkLinkSignature(
  { indexer }: Pick<EntitiesContext, "indexer">,
  challenge: LinkChallenge,
  signature: Uint8Array<ArrayBuffer>,
): Promise<ProofChain> {
  const { wallet, text, chainId } = challenge;
  if (isSignedByKey(wallet, text, signature)) return EVERY_CHAIN;
  if (!maySignAsAccount(wallet)) throw wrongSignature("isn't the wallet's own for this text");
  const request = { chainId, account: formatWallet(wallet), digest: personalDigest(text), signature };
  const { valid, hasCode } = await askAccount(indexer, request);
  if (valid) return chainId;
  if (hasCode) throw wrongSignature("isn't one that the smart account at this address accepts for this text");
  const undeployed = "is for a smart account that isn't on its chain yet; deploy the account first";
  throw wrongSignature(isForUndeployed(signature) ? undeployed : "isn't the wallet's own for this text");
}

async function askAccount(
  indexer: EntitiesContext["indexer"],
  request: Parameters<EntitiesContext["indexer"]["checkAccountSignature"]>[0],
): Promise<{ readonly valid: boolean; readonly hasCode: boolean }> {
  try {
    return await indexer.checkAccountSignature(request);
  } catch (error) {
    const refusal = toServiceError(error);
    if (refusal?.code === "not_found") {
      throw wrongSignature("isn't that of the wallet's key, and smart accounts of this chain can't be asked here");
    }
    // Its own text names the chain's nodes.
    throw new ServiceError("unavailable", "the wallet's chain can't be asked now; try again", { cause: error });
  }
}

function wrongSignature(message: string): ServiceError {
  return invalidArgument([{ field: "signature", rule: "wallet.signature", message }]);
}

/**
 * Checks that one more wallet may be linked to an entity. One that is linked already needs no room.
 *
 * @throws ServiceError `failed_precondition`
 */
export async function checkRoom(query: Kysely<EntitiesSchema>, entityUuid: string, wallet: Wallet): Promise<void> {
  const links = await readWalletLinks(query, entityUuid);
  if (links.length < MAX_LINKED_WALLETS || links.some((link) => walletKey(link.wallet) === walletKey(wallet))) return;
  const message = `the entity has ${MAX_LINKED_WALLETS} wallets, which is as many as it may; unlink one first`;
  throw new ServiceError("failed_precondition", message);
}

/** Returns the person for whom a call is made, with the session. @throws ServiceError `unauthenticated` where there is none */
export function requireSession(context: Pick<HandlerContext, "values">): ChallengeHolder {
  const { accountUuid, sessionUuid } = requirePerson(context);
  if (sessionUuid !== undefined) return { accountUuid, sessionUuid };
  throw new ServiceError("unauthenticated", "the call must name the session in which it is made");
}
