import { type CallOptions, Code, ConnectError } from "@connectrpc/connect";
import { ACTOR_HEADER } from "../../../common/platform/rpc/identity/actor.ts";
import { ENTITIES_AUDIENCE } from "../../../common/platform/rpc/identity/audiences.ts";
import type { Random } from "../../../services/demo/bidders/random.ts";
import type { AuthClients } from "../../support/processes/auth-clients.ts";
import type { EntitiesClients } from "../../support/processes/entities-clients.ts";
import { persist } from "./persist.ts";

type Some<Item> = readonly [Item, ...Item[]];
type Send<Clients, Result> = (clients: Clients, options: CallOptions) => Promise<Result>;

/** The processes of entities and auth. Their clients stay usable after a restart. */
export interface PeopleServices {
  readonly entities: Some<Readonly<Record<"gateway" | "operator", EntitiesClients>>>;
  /** Clients that call as the gateway. */
  readonly auths: Some<AuthClients>;
}

const PEER = { address: "192.0.2.1" };
/** Longer than a paused process stays so; what was sent to one that was killed is sent again. */
const OPTIONS = { timeoutMs: 5_000 };

/** Calls any of the processes, again until the outcome is known. */
export class EntitiesCaller {
  /** The number of calls that were sent again. */
  repeated = 0;
  readonly random: Random;
  readonly #services: PeopleServices;

  constructor(services: PeopleServices, random: Random) {
    this.#services = services;
    this.random = random;
  }

  /** Calls once, as the gateway for an application. */
  application<Result>(send: Send<EntitiesClients, Result>): Promise<Result> {
    return send(this.random.pick(this.#services.entities).gateway, OPTIONS);
  }

  operator<Result>(send: Send<EntitiesClients, Result>): Promise<Result> {
    return this.persist(() => send(this.random.pick(this.#services.entities).operator, OPTIONS));
  }

  /** Calls for a person, each time with a new actor token. */
  person<Result>(sessionToken: string, send: Send<EntitiesClients, Result>): Promise<Result> {
    return this.persist(() => this.#asPerson(sessionToken, send));
  }

  auth<Result>(send: Send<AuthClients, Result>): Promise<Result> {
    return this.persist(() => send(this.random.pick(this.#services.auths), OPTIONS));
  }

  deleteEntity(sessionToken: string, entityUuid: string): Promise<void> {
    const send: Send<EntitiesClients, unknown> = ({ entities }, options) =>
      entities.deleteEntity({ entityUuid }, options);
    return this.#end(Code.NotFound, () => this.#asPerson(sessionToken, send));
  }

  /** Deletes an account at auth, which has its entities deleted afterwards. */
  deleteAccount(sessionToken: string): Promise<void> {
    const request = { sessionToken, peer: PEER };
    const send = () => this.random.pick(this.#services.auths).accounts.deleteAccount(request, OPTIONS);
    // After a lost answer there is neither session nor account.
    return this.#end(Code.Unauthenticated, send);
  }

  /** Deletes something. @param gone the code of an attempt after one that has deleted it and whose answer was lost */
  async #end(gone: Code, send: () => Promise<unknown>): Promise<void> {
    let sent = 0;
    await this.persist(async () => {
      sent += 1;
      await send().catch((error: unknown) => {
        if (sent === 1 || ConnectError.from(error).code !== gone) throw error;
      });
    });
  }

  async persist<Result>(send: () => Promise<Result>): Promise<Result> {
    const { result, attempts } = await persist(send);
    this.repeated += attempts - 1;
    return result;
  }

  async #asPerson<Result>(sessionToken: string, send: Send<EntitiesClients, Result>): Promise<Result> {
    const { accounts } = this.random.pick(this.#services.auths);
    const { actorToken } = await accounts.issueActorToken({ sessionToken, audience: ENTITIES_AUDIENCE }, OPTIONS);
    const { gateway } = this.random.pick(this.#services.entities);
    return send(gateway, { ...OPTIONS, headers: { [ACTOR_HEADER]: actorToken } });
  }
}
