import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError, createRouterTransport, type Interceptor } from "@connectrpc/connect";
import {
  type Entity,
  EntitySchema,
  EntityType,
  IdentityProvider,
  type IssuedPermitSummary,
  type LinkedWallet,
  LinkedWalletSchema,
  SetupState,
} from "../../proto/gen/tidemark/entities/v1/entity_pb.ts";
import {
  type EntityDecision,
  EntityService,
  type ExportedSaleEntitySchema,
} from "../../proto/gen/tidemark/entities/v1/entity_service_pb.ts";
import { WalletService } from "../../proto/gen/tidemark/entities/v1/wallet_service_pb.ts";
import { type EntitiesUpstream, entitiesUpstream } from "../web/sessions/entities-upstream.ts";

export const OWN_PERSON = "31313131-3131-4131-8131-313131313131";
export const OWN_ORGANIZATION = "31313131-3131-4131-8131-313131313132";
export const LINKED_WALLET = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
export const START_URL = "https://identity.example/start?handle=h";
/** The text that a wallet has to sign. */
export const LINK_TEXT = "localhost:8080 wants you to sign in with your Ethereum account:";
/** The signature that the fake takes. */
export const RIGHT_SIGNATURE = `0x${"ab".repeat(65)}`;

/** Returns an entity of the signed-in person. */
export function fakeEntity(changes: Partial<Entity> = {}): Entity {
  const entity = create(EntitySchema, {
    uuid: OWN_PERSON,
    type: EntityType.PERSON,
    label: "Alice Harbour",
    setupState: SetupState.NOT_STARTED,
    createdAt: timestampFromMs(Date.UTC(2026, 9, 1)),
    version: 1n,
  });
  return Object.assign(entity, changes);
}

/** The side of an entities service that a person sees, in memory. It does what its calls say, and fails on command. */
export class FakeOwnEntities {
  provider: IdentityProvider = IdentityProvider.REVIEW;
  /** The start URL of a vendor. */
  startUrl = START_URL;
  entities: Entity[] = [];
  wallets: LinkedWallet[] = [];
  permits: IssuedPermitSummary[] = [];
  decisions: EntityDecision[] = [];
  sales: MessageInitShape<typeof ExportedSaleEntitySchema>[] = [];
  /** Hidden entities by client. */
  readonly hidden = new Map<string, readonly string[]>();
  /** Errors by the method that fails with them. */
  readonly failures = new Map<string, ConnectError>();
  readonly calls: { readonly method: string; readonly message: unknown }[] = [];
  readonly clients: EntitiesUpstream = this.#connect();

  /** Returns the requests of a method. */
  asked(method: string): readonly unknown[] {
    return this.calls.filter((call) => call.method === method).map(({ message }) => message);
  }

  #connect(): EntitiesUpstream {
    const noting: Interceptor = (next) => async (request) => {
      this.calls.push({ method: request.method.name, message: request.stream ? undefined : request.message });
      const failure = this.failures.get(request.method.name);
      if (failure !== undefined) throw failure;
      return next(request);
    };
    const serve = (router: Parameters<Parameters<typeof createRouterTransport>[0]>[0]) => {
      this.#serveEntities(router);
      this.#serveWallets(router);
    };
    return entitiesUpstream(createRouterTransport(serve, { transport: { interceptors: [noting] } }));
  }

  #serveEntities({ service }: Parameters<Parameters<typeof createRouterTransport>[0]>[0]): void {
    service(EntityService, {
      confirmLiveness: () => ({}),
      getSetupPolicy: () => ({ provider: this.provider }),
      listEntities: () => ({ entities: this.entities, permits: this.permits }),
      exportAccount: () => ({
        entities: this.entities.map((entity) => ({ entity, wallets: this.wallets, sales: this.sales })),
        permits: this.permits,
        hiddenEntities: this.#hiddenFrom([...this.hidden.keys()]),
        decisions: this.decisions,
      }),
      getEntity: ({ entityUuid }) => ({ entity: this.#find(entityUuid), wallets: this.wallets }),
      createEntity: ({ type, label }) => {
        if (type === EntityType.PERSON && this.entities.some((entity) => entity.type === type)) {
          throw new ConnectError("the account has its person", Code.AlreadyExists);
        }
        const entity = fakeEntity({ uuid: crypto.randomUUID(), type, label });
        this.entities.push(entity);
        return { entity };
      },
      updateEntity: ({ entityUuid, label }) => ({ entity: this.#change(entityUuid, { label }) }),
      deleteEntity: ({ entityUuid }) => {
        this.entities = this.entities.filter(({ uuid }) => uuid !== entityUuid);
        return {};
      },
      beginSetup: ({ entityUuid, country }) => {
        const sent = this.provider === IdentityProvider.REVIEW;
        const setupState = sent ? SetupState.READY_FOR_REVIEW : SetupState.IN_PROGRESS;
        const startUrl = this.provider === IdentityProvider.WEBHOOK ? this.startUrl : "";
        return { entity: this.#change(entityUuid, { setupState, country }), startUrl };
      },
      chooseDemoSetup: ({ entityUuid, state, country }) => ({
        entity: this.#change(entityUuid, { setupState: state, country }),
      }),
      changeHiddenEntities: ({ clientUuid, hiddenEntityUuids, shownEntityUuids }) => {
        const named = [...hiddenEntityUuids, ...shownEntityUuids];
        const others = (this.hidden.get(clientUuid) ?? []).filter((uuid) => !named.includes(uuid));
        this.hidden.set(clientUuid, [...others, ...hiddenEntityUuids]);
        return {};
      },
      getHiddenEntities: ({ clientUuids }) => ({ hiddenEntities: this.#hiddenFrom(clientUuids) }),
    });
  }

  #hiddenFrom(clientUuids: readonly string[]) {
    return clientUuids.flatMap((clientUuid) =>
      (this.hidden.get(clientUuid) ?? []).map((entityUuid) => ({ clientUuid, entityUuid })),
    );
  }

  #serveWallets({ service }: Parameters<Parameters<typeof createRouterTransport>[0]>[0]): void {
    service(WalletService, {
      listWallets: () => ({ wallets: this.wallets }),
      beginWalletLink: () => ({ linkHandle: "handle", text: LINK_TEXT, expiresAt: timestampFromMs(Date.UTC(2030, 0)) }),
      completeWalletLink: ({ signature }) => {
        if (`0x${Buffer.from(signature).toString("hex")}` !== RIGHT_SIGNATURE) {
          throw new ConnectError("the signature doesn't fit", Code.InvalidArgument);
        }
        const wallet = create(LinkedWalletSchema, { kind: 1, address: LINKED_WALLET });
        this.wallets.push(wallet);
        return { wallet };
      },
      unlinkWallet: ({ address }) => {
        this.wallets = this.wallets.filter((wallet) => wallet.address !== address);
        return {};
      },
    });
  }

  #find(uuid: string): Entity {
    const found = this.entities.find((entity) => entity.uuid === uuid);
    if (found === undefined) throw new ConnectError("there is no such entity", Code.NotFound);
    return found;
  }

  #change(uuid: string, changes: Partial<Entity>): Entity {
    const entity = this.#find(uuid);
    return Object.assign(entity, changes, { version: entity.version + 1n });
  }
}
