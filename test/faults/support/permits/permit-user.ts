import { setTimeout as delay } from "node:timers/promises";
import { Code, ConnectError } from "@connectrpc/connect";
import { hexToBytes } from "viem";
import type { PrivateKeyAccount } from "viem/accounts";
import {
  type Entity,
  EntityType,
  type SaleEntity,
  SetupState,
  WalletKind,
} from "../../../../proto/gen/tidemark/entities/v1/entity_pb.ts";
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
const COUNTRY = "DE";
const CHAIN_ID = 1n;

export interface PermitUserOptions {
  readonly services: PermitServices;
  readonly ledger: PermitLedger;
  readonly sale: ChangingSale;
  /** What ends the user's permits, if anything does. */
  readonly exit?: Exit | undefined;
}

/** A person with an entity in a sale, and the access token of its application. */
interface Identity {
  readonly sessionToken: string;
  readonly accessToken: string;
  readonly entity: Entity;
  readonly saleEntity: SaleEntity;
}

/** A user who asks for permits all the time, of several wallets at once. */
export class PermitUser {
  issued = 0;
  refused = 0;
  unanswered = 0;
  readonly #options: PermitUserOptions;
  readonly #identity: Identity;
  readonly #own: readonly PrivateKeyAccount[];
  readonly #contested: readonly PrivateKeyAccount[];
  readonly #asked = new Set<string>();
  #requests = 0;
  #requestsAfter = 0;
  #exit: { readonly kind: Exit; isDone: boolean } | undefined;

  private constructor(options: PermitUserOptions, identity: Identity) {
    const { services, sale } = options;
    this.#options = options;
    this.#identity = identity;
    this.#own = Array.from({ length: OWN_WALLETS }, newWallet);
    this.#contested = Array.from({ length: CONTESTED_WALLETS }, () => pickOf(sale.contested, services));
  }

  /** Lets a new person sign in, create an entity, have it approved, let the application in, and link wallets if need be. */
  static async join(options: PermitUserOptions): Promise<PermitUser> {
    const user = new PermitUser(options, await newIdentity(options));
    if (options.sale.terms.linkingRequired) await user.#linkAll();
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
    const { accessToken, saleEntity } = this.#identity;
    const isContested = services.caller.random.integer(1, REQUESTS_PER_CONTESTED) === 1;
    const { address: wallet } = pickOf(isContested ? this.#contested : this.#own, services);
    this.#asked.add(wallet);
    const [phase, hasLeft, sentAtMs] = [sale.known, this.#hasLeft, Date.now()];
    const request = { access: { accessToken }, saleUuid: sale.saleUuid, entityUuid: saleEntity.entityUuid, wallet };
    sale.asked();
    services.onAsk();
    const answer = await permitAnswer(
      services.caller.application(({ permits }, options) => permits.issuePermit(request, options)),
    );
    const isCrowded = this.#asked.size > sale.terms.maxWalletsPerEntity;
    const facts = {
      phase: sale.known === phase ? phase : undefined,
      exit: this.#exit?.kind,
      hasLeft,
      isContested,
      isCrowded,
    };
    await this.#take(answer, facts, { wallet, sentAtMs });
    return answer;
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
    const { saleSpecificEntityId: saleSpecificId } = this.#identity.saleEntity;
    await ledger.hand({ sale, saleSpecificId, ...request, answeredAtMs: Date.now(), issued: answer.issued });
  }

  /** Ends the entity's permits. */
  async #leave(kind: Exit): Promise<void> {
    const { services, ledger, sale } = this.#options;
    const { saleUuid } = sale;
    const { sessionToken, entity, saleEntity } = this.#identity;
    const { caller } = services;
    const { saleSpecificEntityId } = saleEntity;
    const exit = { kind, isDone: false };
    this.#exit = exit;
    if (kind === "frozen") {
      const request = { saleUuid, saleSpecificEntityId, frozen: true, note: "" };
      await caller.operator(({ eligibility }, options) => eligibility.setFreeze(request, options));
    }
    if (kind === "entity deleted") await caller.deleteEntity(sessionToken, entity.uuid);
    if (kind === "account deleted") await caller.deleteAccount(sessionToken);
    await ledger.end(saleUuid, saleSpecificEntityId);
    exit.isDone = true;
  }

  async #linkAll(): Promise<void> {
    const { sessionToken, entity } = this.#identity;
    const { caller } = this.#options.services;
    for (const { address, signMessage } of new Set([...this.#own, ...this.#contested])) {
      const request = { entityUuid: entity.uuid, kind: WalletKind.EVM, address, chainId: CHAIN_ID };
      await caller.person(sessionToken, async ({ wallets }, options) => {
        const { text, linkHandle } = await wallets.beginWalletLink(request, options);
        const signature = new Uint8Array(hexToBytes(await signMessage({ message: text })));
        await wallets.completeWalletLink({ linkHandle, signature }, options);
      });
    }
  }
}

async function newIdentity({ services, sale }: PermitUserOptions): Promise<Identity> {
  const { caller } = services;
  const { saleUuid, client } = sale;
  const sessionToken = await services.signIn();
  const entity = await completeEntity(services, sessionToken);
  const { accessToken } = await caller.auth(({ authorization }) =>
    new Application(authorization, client).tokens(sessionToken),
  );
  const { entities } = await caller.persist(() =>
    caller.application((clients, options) =>
      clients.entities.listAvailableEntities({ access: { accessToken }, saleUuid }, options),
    ),
  );
  const [saleEntity] = entities;
  if (saleEntity === undefined) throw new Error("the application sees no entity");
  return { sessionToken, accessToken, entity, saleEntity };
}

/** Creates the entity of a person, whose set-up an operator approves. */
async function completeEntity({ caller }: PermitServices, sessionToken: string): Promise<Entity> {
  await caller.person(sessionToken, ({ entities }, options) =>
    entities.createEntity({ type: EntityType.PERSON, label: "Me" }, options).catch((error: unknown) => {
      if (ConnectError.from(error).code !== Code.AlreadyExists) throw error;
    }),
  );
  const read = async () => {
    const { entities } = await caller.person(sessionToken, (clients, options) =>
      clients.entities.listEntities({}, options),
    );
    const [entity] = entities;
    if (entity === undefined) throw new Error("there is no entity");
    return entity;
  };
  for (;;) {
    const entity = await read();
    if (entity.setupState === SetupState.COMPLETE) return entity;
    await approve(caller, sessionToken, entity).catch((error: unknown) => {
      // An attempt before has changed the entity meanwhile.
      if (![Code.FailedPrecondition, Code.Aborted].includes(ConnectError.from(error).code)) throw error;
    });
  }
}

async function approve(caller: PermitServices["caller"], sessionToken: string, entity: Entity): Promise<void> {
  const { uuid: entityUuid, version: expectedVersion } = entity;
  if (entity.setupState === SetupState.NOT_STARTED) {
    await caller.person(sessionToken, ({ entities }, options) =>
      entities.beginSetup({ entityUuid, country: COUNTRY }, options),
    );
    return;
  }
  const approval = { reference: entityUuid, country: COUNTRY };
  await caller.operator(({ entities }, options) =>
    entities.decideReview({ entityUuid, expectedVersion, decision: { case: "approval", value: approval } }, options),
  );
}

function pickOf<Item>(items: readonly Item[], { caller }: PermitServices): Item {
  const picked = caller.random.pick(items);
  if (picked === undefined) throw new Error("there is nothing to pick from");
  return picked;
}

function textOf(value: unknown): string {
  return JSON.stringify(value, (_key, each) => (typeof each === "bigint" ? `${each}` : each));
}
