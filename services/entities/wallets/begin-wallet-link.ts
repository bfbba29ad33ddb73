import { randomBytes } from "node:crypto";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import type { ServiceImpl } from "@connectrpc/connect";
import type { Transaction } from "kysely";
import { linkText } from "../../../common/chains/link-text.ts";
import { parseWallet, type Wallet } from "../../../common/chains/wallet.ts";
import { maySignAsAccount } from "../../../common/chains/wallet-signatures.ts";
import { invalidArgument, ServiceError } from "../../../common/platform/errors/service-error.ts";
import { chainFamilyOf } from "../../../common/sale/definition/wallet-kind.ts";
import type { WalletService } from "../../../proto/gen/tidemark/entities/v1/wallet_service_pb.ts";
import type { EntitiesContext } from "../base/context.ts";
import { LINK_CHALLENGE_LIFETIME_MS } from "../base/lifetimes.ts";
import type { EntitiesSchema } from "../base/schema.ts";
import { ensureAccount, lockAccount } from "../entities/closed-accounts-store.ts";
import { lockOwnEntity } from "../entities/own-entity.ts";
import { type LinkChallenge, MAX_CHALLENGES } from "./link-challenge.ts";
import { readChallengeTimes, storeChallenge } from "./link-challenges-store.ts";
import { checkRoom } from "./linked-number.ts";
import { requireSession } from "./require-session.ts";

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
