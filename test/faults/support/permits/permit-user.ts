import { setTimeout as delay } from "node:timers/promises";
import { Code, ConnectError } from "@connectrpc/connect";
import { hexToBytes } from "viem";
import type { PrivateKeyAccount } from "viem/accounts";
import { WalletKind } from "../../../../proto/gen/tidemark/entities/v1/entity_pb.ts";
import { Application } from "../../../../services/auth/testing/application.ts";
import { type ChangingSale, newWallet } from "./changing-sale.ts";
import {
  type Exit,
  isPossible,
  isRetryable,
  type PermitAnswer,
  permitAnswer,
  type RequestFacts,
} from "./permit-answer.ts";
import { type Applicant, completeSetup, newApplicant } from "./permit-applicant.ts";
import type { PermitLedger } from "./permit-ledger.ts";
import type { PermitServices } from "./permit-services.ts";

/** Wallets of a user's own, and those that others want too, for which one of four requests is. */
const OWN_WALLETS = 3;
const CONTESTED_WALLETS = 2;
const REQUESTS_PER_CONTESTED = 4;
const LANES = 3;
/** Requests before a user leaves, and after. */
const REQUESTS = { least: 6, most: 30, after: 6 };
/** Far below the limit of an account, which is 600 in ten minutes. */
const MOST_REQUESTS = 200;
const LONGEST_PAUSE_MS = 20;
const CHAIN_ID = 1n;

export interface PermitUserOptions {
  readonly services: PermitServices;
  readonly ledger: PermitLedger;
  readonly sale: ChangingSale;
  /** The event that ends the user's permits, if any does. */
  readonly exit?: Exit | undefined;
  /** The lifetime of the entity's approval; undefined: it doesn't end. */
  readonly approvalMs?: number | undefined;
}

/** The approval of an entity. `endsAtMs` is infinite if it doesn't end. */
type Approval = { readonly kind: "none" | "sent" } | { readonly kind: "acknowledged"; readonly endsAtMs: number };

/** A user who asks for permits all the time, of several wallets at once. */
export class PermitUser {
  issued = 0;
  refused = 0;
  unanswered = 0;
  readonly #options: PermitUserOptions;
  readonly #applicant: Applicant;
  readonly #own: readonly PrivateKeyAccount[];
  readonly #contested: readonly PrivateKeyAccount[];
  readonly #asked = new Set<string>();
  /** Those that have got a permit. */
  readonly #used = new Set<PrivateKeyAccount>();
  #requests = 0;
  #requestsAfter = 0;
  #exit: { readonly kind: Exit; isDone: boolean } | undefined;
  #approval: Approval = { kind: "none" };

  private constructor(options: PermitUserOptions, applicant: Applicant) {
    const { services, sale } = options;
    this.#options = options;
    this.#applicant = applicant;
    this.#own = Array.from({ length: OWN_WALLETS }, newWallet);
    this.#contested = Array.from({ length: CONTESTED_WALLETS }, () => pickOf(sale.contested, services));
  }

  /** Lets a new person create an entity, link wallets if need be, and have the entity approved while asking for permits already. */
  static async join(options: PermitUserOptions): Promise<PermitUser> {
    const { services, sale } = options;
    const user = new PermitUser(options, await newApplicant(services, sale));
    if (sale.terms.linkingRequired) await user.#linkAll();
    await user.ask();
    await Promise.all([user.#getApproved(), user.ask(), user.ask()]);
    return user;
  }

  /** Asks for permits until the user or the sale has left, or `over` aborts. */
  async takePart(over: AbortSignal): Promise<void> {
    const { exit, services } = this.#options;
    const { random } = services.caller;
    const wanted = random.integer(REQUESTS.least, REQUESTS.most);
    const isDone = () =>
      over.aborted ||
      this.#requests >= MOST_REQUESTS ||
      (exit === undefined ? this.#requests >= wanted : this.#requestsAfter >= REQUESTS.after) ||
      (this.#options.sale.isOver && this.#requestsAfter >= REQUESTS.after);
    const lane = async () => {
      while (!isDone()) {
        await this.ask();
        await delay(random.integer(0, LONGEST_PAUSE_MS));
      }
    };
    const leave = async () => {
      while (this.#requests < wanted && !isDone()) await delay(LONGEST_PAUSE_MS);
      if (exit !== undefined && !isDone()) await this.#leave(exit);
    };
    await Promise.all([leave(), ...Array.from({ length: LANES }, lane)]);
  }

  /** Asks once for a permit. @throws Error for an answer that can't be */
  async ask(): Promise<PermitAnswer> {
    const { services, sale } = this.#options;
    const { accessToken, saleEntity } = this.#applicant;
    const account = this.#nextWallet();
    const { address: wallet } = account;
    const isContested = this.#contested.includes(account);
    this.#asked.add(wallet);
    const [phase, approval, hasLeft, sentAtMs] = [sale.known, this.#approval, this.#hasLeft, Date.now()];
    const request = { access: { accessToken }, saleUuid: sale.saleUuid, entityUuid: saleEntity.entityUuid, wallet };
    sale.asked();
    services.onAsk();
    const answer = await permitAnswer(
      services.caller.application(({ permits }, options) => permits.issuePermit(request, options)),
    );
    const isCrowded = this.#asked.size > sale.terms.maxWalletsPerEntity;
    const facts = {
      phase: sale.known === phase ? phase : undefined,
      isApproved: this.#wasApproved(approval, sentAtMs),
      exit: this.#exit?.kind,
      hasLeft,
      isContested,
      isCrowded,
    };
    if (answer.kind === "issued") this.#used.add(account);
    await this.#take(answer, facts, { wallet, sentAtMs });
    return answer;
  }

  /** Picks a wallet: every other time one that has got a permit before. */
  #nextWallet(): PrivateKeyAccount {
    const { services } = this.#options;
    const { random } = services.caller;
    if (this.#used.size > 0 && random.integer(1, 2) === 1) return pickOf([...this.#used], services);
    return pickOf(random.integer(1, REQUESTS_PER_CONTESTED) === 1 ? this.#contested : this.#own, services);
  }

  /** Whether the entity was approved all the time since a request was sent; undefined if that isn't known. */
  #wasApproved(before: Approval, sentAtMs: number): boolean | undefined {
    if (this.#approval.kind === "none") return false;
    if (before.kind !== "acknowledged") return undefined;
    if (sentAtMs >= before.endsAtMs) return false;
    return Date.now() < before.endsAtMs ? true : undefined;
  }

  get #hasLeft(): boolean {
    return this.#exit?.isDone ?? false;
  }

  async #take(
    answer: PermitAnswer,
    facts: RequestFacts,
    request: { readonly wallet: string; readonly sentAtMs: number },
  ): Promise<void> {
    const { ledger, sale } = this.#options;
    if (!isPossible(answer, facts)) throw new Error(`an impossible answer: ${textOf({ answer, facts, ...request })}`);
    this.#requests += 1;
    if (facts.hasLeft || sale.isOver) this.#requestsAfter += 1;
    if (isRetryable(answer)) this.unanswered += 1;
    else if (answer.kind !== "issued") this.refused += 1;
    if (answer.kind !== "issued") return;
    this.issued += 1;
    const { saleSpecificEntityId: saleSpecificId } = this.#applicant.saleEntity;
    await ledger.hand({ sale, saleSpecificId, ...request, answeredAtMs: Date.now(), issued: answer.issued });
  }

  /** Ends the entity's permits. */
  async #leave(kind: Exit): Promise<void> {
    const { services, ledger, sale } = this.#options;
    const { saleUuid, client } = sale;
    const { sessionToken, accessToken, entityUuid, saleEntity } = this.#applicant;
    const { caller } = services;
    const { saleSpecificEntityId } = saleEntity;
    const exit = { kind, isDone: false };
    this.#exit = exit;
    if (kind === "frozen" && !(await this.#freeze())) return;
    if (kind === "entity deleted") await caller.deleteEntity(sessionToken, entityUuid);
    if (kind === "account deleted") await caller.deleteAccount(sessionToken);
    if (kind === "token revoked")
      await caller.auth(({ authorization }) => new Application(authorization, client).revoke(accessToken));
    // A token counts when a request arrives.
    else await ledger.end(saleUuid, saleSpecificEntityId);
    exit.isDone = true;
  }

  /** @returns false if the sale was withdrawn meanwhile */
  async #freeze(): Promise<boolean> {
    const { services, sale } = this.#options;
    const { saleSpecificEntityId } = this.#applicant.saleEntity;
    const request = { saleUuid: sale.saleUuid, saleSpecificEntityId, frozen: true, note: "" };
    try {
      await services.caller.operator(({ eligibility }, options) => eligibility.setFreeze(request, options));
      return true;
    } catch (error) {
      if (sale.mayBeWithdrawn && ConnectError.from(error).code === Code.FailedPrecondition) return false;
      throw error;
    }
  }

  async #getApproved(): Promise<void> {
    const { services, ledger, sale, approvalMs } = this.#options;
    const { sessionToken, saleEntity } = this.#applicant;
    this.#approval = { kind: "sent" };
    const endsAtMs = await completeSetup(services.caller, sessionToken, approvalMs);
    if (endsAtMs !== undefined) ledger.approvalEnds(sale.saleUuid, saleEntity.saleSpecificEntityId, endsAtMs);
    this.#approval = { kind: "acknowledged", endsAtMs: endsAtMs ?? Number.POSITIVE_INFINITY };
  }

  async #linkAll(): Promise<void> {
    const { sessionToken, entityUuid } = this.#applicant;
    const { caller } = this.#options.services;
    for (const { address, signMessage } of new Set([...this.#own, ...this.#contested])) {
      const request = { entityUuid, kind: WalletKind.EVM, address, chainId: CHAIN_ID };
      await caller.person(sessionToken, async ({ wallets }, options) => {
        const { text, linkHandle } = await wallets.beginWalletLink(request, options);
        const signature = new Uint8Array(hexToBytes(await signMessage({ message: text })));
        await wallets.completeWalletLink({ linkHandle, signature }, options);
      });
    }
  }
}

function pickOf<Item>(items: readonly Item[], { caller }: PermitServices): Item {
  const picked = caller.random.pick(items);
  if (picked === undefined) throw new Error("there is nothing to pick from");
  return picked;
}

function textOf(value: unknown): string {
  return JSON.stringify(value, (_key, each) => (typeof each === "bigint" ? `${each}` : each));
}
