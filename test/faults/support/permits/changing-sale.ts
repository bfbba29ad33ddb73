import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { Code, ConnectError } from "@connectrpc/connect";
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";
import { SaleStage, SaleStatus, Tenancy } from "../../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { PermitKeyStatus } from "../../../../proto/gen/tidemark/entities/v1/permit_service_pb.ts";
import { findClient } from "../../../../services/auth/applications/applications-store.ts";
import { seedClient } from "../../../../services/auth/testing/application.ts";
import { sampleClient } from "../../../../services/auth/testing/sample-application.ts";
import { rulesMessage } from "../../../../services/entities/rules/rules-message.ts";
import { auction, evmSource } from "../../../support/sales/sale-messages.ts";
import type { PermitServices } from "./permit-services.ts";
import { nextPhase, openPhase, type Phase, rulesOf, type SaleTerms } from "./sale-phase.ts";

const NAME = "Permits";
/** No indexer reads it: the test reports the stages of contracts itself. */
const CHAIN = "elsewhere";
const LEASE = { holder: "test", duration: { seconds: 60n } };
/** Stages in which a contract takes no more bids. */
const LAST_STAGES = [SaleStage.CANCELLATION, SaleStage.SETTLEMENT, SaleStage.DONE] as const;
/** Wallets that several entities want. */
const CONTESTED = 6;
const POLL_MS = 10;

/** A sale in which people take part, and whose rules, keys and stage change while they do. */
export class ChangingSale {
  readonly saleUuid = randomUUID();
  readonly client = sampleClient({ uuid: randomUUID(), saleUuid: this.saleUuid });
  readonly contested: readonly PrivateKeyAccount[] = Array.from({ length: CONTESTED }, newWallet);
  /** By the version of the rules. */
  readonly phases = new Map<bigint, Phase>();
  /** The UUID of each key that may have signed, by its address in lower case. */
  readonly keys = new Map<string, string>();
  readonly terms: SaleTerms;
  /** Milliseconds since 1970 at which the end of the contract's bidding was acknowledged. */
  bidsEndedAtMs: number | undefined;
  isWithdrawn = false;
  /** Whether its withdrawal was sent. A withdrawn sale's rules and freezes can't be changed. */
  mayBeWithdrawn = false;
  readonly #services: PermitServices;
  #phase: Phase;
  #known: Phase | undefined;
  #version = 0n;
  #asked = 0;

  private constructor(services: PermitServices, terms: SaleTerms) {
    this.#services = services;
    this.terms = terms;
    this.#phase = openPhase(services.caller.random);
  }

  /** Opens a sale with an active key, in its contract's commitment stage. */
  static async open(services: PermitServices, terms: SaleTerms): Promise<ChangingSale> {
    const sale = new ChangingSale(services, terms);
    await sale.#create();
    await sale.#activateKey();
    await sale.#setRules(sale.#phase);
    await sale.#setStage(SaleStage.COMMITMENT);
    sale.#known = sale.#phase;
    return sale;
  }

  /** The present phase; undefined while a change is on its way. Each change makes another object. */
  get known(): Phase | undefined {
    return this.#known;
  }

  get isOver(): boolean {
    return this.isWithdrawn || this.bidsEndedAtMs !== undefined;
  }

  /** Counts a request for a permit. */
  asked(): void {
    this.#asked += 1;
  }

  /** Resolves after a number of further requests, or when `over` aborts. */
  async untilAsked(requests: number, over: AbortSignal): Promise<void> {
    const wanted = this.#asked + requests;
    while (this.#asked < wanted && !over.aborted) await delay(POLL_MS);
  }

  /** Changes the rules, or the key. */
  async change(): Promise<void> {
    const { random } = this.#services.caller;
    this.#known = undefined;
    if (random.integer(1, 4) === 1) await this.#activateKey();
    else await this.#setRules(nextPhase(this.#phase, random));
    this.#known = { ...this.#phase };
  }

  /** Withdraws the sale. */
  async withdraw(): Promise<void> {
    const { saleUuid } = this;
    this.#known = undefined;
    this.mayBeWithdrawn = true;
    await this.#commitments(async ({ sales }) => {
      const { sale } = await sales.getSale({ saleUuid });
      if (sale?.status !== SaleStatus.WITHDRAWN) await sales.withdrawSale({ saleUuid, confirmName: NAME });
    });
    this.isWithdrawn = true;
    this.#known = { kind: "over" };
  }

  /** Reports that the contract takes no more bids. Permits may follow for as long as the sale's state is trusted. */
  async endBids(): Promise<void> {
    this.#known = undefined;
    await this.#setStage(this.#services.caller.random.pick(LAST_STAGES));
    this.bidsEndedAtMs = Date.now();
  }

  async #create(): Promise<void> {
    const { saleUuid, client } = this;
    const { authDatabase, caller } = this.#services;
    const definition = auction({ name: NAME, source: evmSource({ chain: CHAIN }) });
    await this.#commitments(({ sales }) => sales.createSale({ saleUuid, tenancy: Tenancy.TEST, definition }));
    await caller.persist(async () => {
      if ((await findClient(authDatabase, client.uuid)) === undefined) await seedClient(authDatabase, client);
    });
    await this.#commitments(async ({ sales }) => {
      const { sale } = await sales.getSale({ saleUuid });
      if (sale?.status === SaleStatus.DRAFT) await sales.openSale({ saleUuid, overrideConfirmName: NAME });
    });
  }

  async #activateKey(): Promise<void> {
    const { saleUuid } = this;
    const { caller } = this.#services;
    const key = await caller.operator(async ({ permits }, options) => {
      const { keys } = await permits.listKeys({ saleUuid }, options);
      const next = keys.find(({ status }) => status === PermitKeyStatus.NEXT);
      return next ?? (await permits.createKey({ saleUuid }, options).catch(reread)).key;
    });
    const { keyUuid = "", address = "" } = key ?? {};
    this.keys.set(address.toLowerCase(), keyUuid);
    await caller.operator(({ permits }, options) =>
      permits.activateKey({ saleUuid, keyUuid, override: true }, options),
    );
  }

  async #setRules(phase: Phase): Promise<void> {
    const { saleUuid, terms } = this;
    const expectedVersion = this.#version;
    this.phases.set(expectedVersion + 1n, phase);
    const rules = rulesMessage(rulesOf(phase, terms));
    await this.#services.caller.operator(async ({ eligibility }, options) => {
      const { version } = await eligibility.getRules({ saleUuid }, options);
      if (version === expectedVersion) await eligibility.updateRules({ saleUuid, rules, expectedVersion }, options);
    });
    this.#version = expectedVersion + 1n;
    this.#phase = phase;
  }

  async #setStage(stage: SaleStage): Promise<void> {
    const { saleUuid } = this;
    await this.#commitments(async ({ sales, commitments }) => {
      if ((await sales.getSale({ saleUuid })).sale?.stage === stage) return;
      const { epoch: leaseEpoch } = await commitments.acquireSaleLease({ saleUuid, ...LEASE });
      await commitments.applyCommitments({ saleUuid, requestId: randomUUID(), leaseEpoch, stage });
    });
  }

  /** Calls any of the commitments services, again from the start until the outcome is known. */
  async #commitments(send: (clients: PermitServices["commitments"][0]) => Promise<unknown>): Promise<void> {
    const { caller, commitments } = this.#services;
    await caller.persist(() => send(caller.random.pick(commitments)).catch(reread));
  }
}

export function newWallet(): PrivateKeyAccount {
  return privateKeyToAccount(generatePrivateKey());
}

/** Has the state read again after the refusal of a change that an attempt before may have made meanwhile. */
function reread(error: unknown): never {
  const { code, rawMessage } = ConnectError.from(error);
  throw code === Code.FailedPrecondition ? new ConnectError(rawMessage, Code.Aborted) : error;
}
