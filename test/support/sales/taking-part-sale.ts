import { randomBytes } from "node:crypto";
import { systemClock } from "../../../common/platform/time/clock.ts";
import { SaleStage } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import type { SignedPermit } from "../../../proto/gen/tidemark/entities/v1/permit_service_pb.ts";
import { deriveKeys } from "../../../services/entities/base/derived-keys.ts";
import type { Entity } from "../../../services/entities/base/entity.ts";
import { lockSale } from "../../../services/entities/base/lock-sale.ts";
import { ensureAccount } from "../../../services/entities/entities/closed-accounts-store.ts";
import { insertEntity } from "../../../services/entities/entities/entities-store.ts";
import { ensureSaleEntity, type SaleEntity } from "../../../services/entities/entities/sale-entities-store.ts";
import type { ParticipationRules } from "../../../services/entities/rules/participation-rules.ts";
import { readRules, writeRules } from "../../../services/entities/rules/rules-store.ts";
import { sampleEntity } from "../../../services/entities/testing/sample-entity.ts";
import { sampleRules } from "../../../services/entities/testing/sample-rules.ts";
import { KEY_ENCRYPTION_KEY, type SignedIn } from "../processes/auth-fixture.ts";
import type { EntitiesFixture } from "../processes/entities-fixture.ts";
import { applyUnderLease, auction, type DefinitionInit, draftSale, evmSource } from "./sale-messages.ts";

/** A person with a complete entity in a sale, and an application's token. */
export interface Participant {
  readonly session: SignedIn;
  readonly entity: Entity;
  readonly saleEntity: SaleEntity;
  readonly accessToken: string;
}

/** An address that nobody else has. */
export function newAddress(): string {
  return `0x${randomBytes(20).toString("hex")}`;
}

/** An open sale in which people take part. */
export class PermitSale {
  readonly saleUuid: string;
  readonly #service: EntitiesFixture;

  private constructor(service: EntitiesFixture, saleUuid: string) {
    this.#service = service;
    this.saleUuid = saleUuid;
  }

  /** Opens a sale in its commitment stage, with an active key. */
  static async open(
    service: EntitiesFixture,
    { rules = {}, ...definition }: DefinitionInit & { readonly rules?: Partial<ParticipationRules> } = {},
  ): Promise<PermitSale> {
    const { commitments } = service.auth;
    const full = auction({ source: evmSource(), ...definition });
    const saleUuid = await draftSale(commitments, full);
    const sale = new PermitSale(service, saleUuid);
    await service.applicationOf(saleUuid);
    await commitments.sales.openSale({ saleUuid, overrideConfirmName: full.name ?? "" });
    await sale.newKey();
    await sale.setRules(rules);
    await sale.setStage(SaleStage.COMMITMENT);
    return sale;
  }

  /** Creates a key and activates it. @returns its address */
  async newKey(): Promise<string> {
    const { permits } = this.#service;
    const { key } = await permits.createKey({ saleUuid: this.saleUuid });
    await permits.activateKey({ saleUuid: this.saleUuid, keyUuid: key?.keyUuid ?? "", override: true });
    return key?.address ?? "";
  }

  async setRules(rules: Partial<ParticipationRules>): Promise<void> {
    const { database } = this.#service;
    await database.write(async (transaction) => {
      await lockSale(transaction, database.dialect, this.saleUuid);
      const { version } = await readRules(transaction, this.saleUuid);
      const wanted = { rules: sampleRules(rules), expectedVersion: version };
      await writeRules(transaction, this.saleUuid, wanted, 0n);
    });
  }

  async setStage(stage: SaleStage): Promise<void> {
    await applyUnderLease(this.#service.auth.commitments, this.saleUuid, { stage });
  }

  /** Signs a person in who has an entity, complete by default. */
  async participant(email: string, given: Partial<Entity> = {}): Promise<Participant> {
    const { auth, database } = this.#service;
    const session = await auth.signIn(email);
    const accessToken = await this.#service.accessToken(session, this.saleUuid);
    await ensureAccount(database, session.accountUuid);
    const complete = { setupState: "complete", provider: "review", country: "DE" } as const;
    const entity = sampleEntity({ accountUuid: session.accountUuid, ...complete, ...given });
    await database.write((transaction) => insertEntity(transaction, entity));
    const derivedKeys = deriveKeys(KEY_ENCRYPTION_KEY);
    const saleEntity = await ensureSaleEntity(
      { database, derivedKeys, clock: systemClock },
      this.saleUuid,
      entity,
      email,
    );
    return { session, entity, saleEntity, accessToken };
  }

  /** Asks for a permit. @returns it, or the number of the failing reason */
  async issue({ accessToken, saleEntity }: Participant, wallet = newAddress()): Promise<SignedPermit | number> {
    const { saleUuid } = this;
    const entityUuid = saleEntity.publicUuid;
    const { permits } = this.#service.as("gateway");
    const { result } = await permits.issuePermit({ access: { accessToken }, saleUuid, entityUuid, wallet });
    if (result.case === undefined) throw new Error("no result");
    return result.case === "issued" ? result.value : result.value.reason;
  }
}
