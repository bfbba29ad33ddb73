import { create } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError, createRouterTransport, type Interceptor } from "@connectrpc/connect";
import {
  EligibilityService,
  type Freeze,
  FreezeSchema,
  type GroupMember,
  GroupMemberSchema,
} from "../../proto/gen/tidemark/entities/v1/eligibility_service_pb.ts";
import { EntityType } from "../../proto/gen/tidemark/entities/v1/entity_pb.ts";
import { EntityService, type Review } from "../../proto/gen/tidemark/entities/v1/entity_service_pb.ts";
import {
  CountryRule,
  type ParticipationRules,
  ParticipationRulesSchema,
  PermitPayload,
  ScreeningFailure,
} from "../../proto/gen/tidemark/entities/v1/participation_rules_pb.ts";
import {
  ContractKnowledge,
  type PermitCount,
  type PermitKey,
  PermitKeySchema,
  PermitKeyStatus,
  type PermitRecord,
  PermitService,
} from "../../proto/gen/tidemark/entities/v1/permit_service_pb.ts";
import { type EntitiesUpstream, entitiesUpstream } from "../web/sessions/entities-upstream.ts";

/** Returns the rules of a sale that has none yet. */
export function noRules(): ParticipationRules {
  return create(ParticipationRulesSchema, {
    countryRule: CountryRule.ALL_BUT_LISTED,
    entityTypes: [EntityType.PERSON, EntityType.ORGANIZATION],
    wallets: { maxWalletsPerEntity: 1, denyList: true, onScreeningFailure: ScreeningFailure.CLOSED },
    payload: PermitPayload.SETTLEMENT,
  });
}

/**
 * The founder's and reviewer's side of an entities service in memory, asked through Connect's own client. It keeps one sale,
 * stores whatever it is sent, and refuses on command.
 */
export class FakeParticipation {
  rules = noRules();
  version = 0n;
  unexpiredPermits = 0n;
  members: GroupMember[] = [];
  denyList: string[] = [];
  freezes: Freeze[] = [];
  keys: PermitKey[] = [];
  permits: PermitRecord[] = [];
  hours: PermitCount[] = [];
  reviews: Review[] = [];
  isReviewer = false;
  /** Errors by the method that fails with them. */
  readonly failures = new Map<string, ConnectError>();
  /** Whether `ImportMembers` counts rows without looking at them, for tests of many. */
  acceptsAll = false;
  /** Rows that `ImportMembers` refuses, by their key. */
  readonly refusedRows = new Map<string, { readonly field: string; readonly message: string }>();
  readonly #held = new Map<string, { left: number; readonly reach: () => void; readonly abort: () => void }>();
  /** Every call with its request, the last one last. */
  readonly calls: { readonly method: string; readonly message: unknown }[] = [];

  readonly clients: EntitiesUpstream = this.#connect();

  /** Returns the requests of a method. */
  asked(method: string): readonly unknown[] {
    return this.calls.filter((call) => call.method === method).map(({ message }) => message);
  }

  /**
   * Has a call hang until its caller gives it up.
   *
   * @param count the call's number, from 1
   * @returns `reached` resolves with the call, `aborted` when it was given up
   */
  hold(method: string, count: number) {
    const [reached, aborted] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    this.#held.set(method, { left: count, reach: reached.resolve, abort: aborted.resolve });
    return { reached: reached.promise, aborted: aborted.promise };
  }

  async #holdCall(method: string, signal: AbortSignal): Promise<void> {
    const held = this.#held.get(method);
    if (held === undefined || --held.left > 0) return;
    this.#held.delete(method);
    held.reach();
    await new Promise((resolve) => signal.addEventListener("abort", resolve));
    held.abort();
    throw new ConnectError("given up", Code.Canceled);
  }

  #connect(): EntitiesUpstream {
    const noting: Interceptor = (next) => async (request) => {
      this.calls.push({ method: request.method.name, message: request.stream ? undefined : request.message });
      const failure = this.failures.get(request.method.name);
      if (failure !== undefined) throw failure;
      await this.#holdCall(request.method.name, request.signal);
      return next(request);
    };
    const transport = createRouterTransport(
      (router) => {
        this.#serveRules(router);
        this.#servePermits(router);
        this.#serveReviews(router);
      },
      { transport: { interceptors: [noting] } },
    );
    return entitiesUpstream(transport);
  }

  #serveRules({ service }: Parameters<Parameters<typeof createRouterTransport>[0]>[0]): void {
    const state = () => ({ rules: this.rules, version: this.version, unexpiredPermits: this.unexpiredPermits });
    const byIndex = (pageToken: string) => Number(pageToken || "0");
    service(EligibilityService, {
      getRules: () => ({
        ...state(),
        memberCount: BigInt(this.members.length),
        denyListCount: BigInt(this.denyList.length),
      }),
      updateRules: ({ rules, expectedVersion }) => {
        if (expectedVersion !== this.version) throw new ConnectError("the rules were changed meanwhile", Code.Aborted);
        if (rules !== undefined) this.rules = rules;
        this.version++;
        return state();
      },
      importMembers: ({ members, dryRun }) => this.#importMembers(members, dryRun),
      listMembers: ({ pageSize, pageToken, search, groupUuid }) => {
        const found = this.members.filter(
          ({ key, groupUuid: group }) =>
            (search === "" || key.value === search) && (groupUuid === "" || group === groupUuid),
        );
        const from = byIndex(pageToken);
        const next = from + pageSize;
        return { members: found.slice(from, next), nextPageToken: next < found.length ? String(next) : "" };
      },
      removeMembers: ({ memberUuids }) => {
        const before = this.members.length;
        this.members = this.members.filter(({ uuid }) => !memberUuids.includes(uuid));
        return { removed: before - this.members.length };
      },
      exportMembers: async function* (this: FakeParticipation) {
        yield { total: BigInt(this.members.length), members: this.members };
      }.bind(this),
      changeDenyList: ({ wallets, remove, dryRun }) => this.#changeDenyList(wallets, remove, dryRun),
      listDenyList: ({ pageSize, pageToken }) => {
        const from = byIndex(pageToken);
        const next = from + pageSize;
        return {
          wallets: this.denyList.slice(from, next),
          nextPageToken: next < this.denyList.length ? String(next) : "",
        };
      },
      setFreeze: ({ saleSpecificEntityId, frozen, note }) => {
        const isSame = (freeze: Freeze) =>
          Buffer.compare(Buffer.from(freeze.saleSpecificEntityId), Buffer.from(saleSpecificEntityId)) === 0;
        this.freezes = this.freezes.filter((freeze) => !isSame(freeze));
        const since = timestampFromMs(Date.now());
        if (frozen) this.freezes.unshift(create(FreezeSchema, { saleSpecificEntityId, note, since }));
        return { unexpiredPermits: this.unexpiredPermits };
      },
      listFreezes: () => ({ freezes: this.freezes }),
    });
  }

  #importMembers(members: readonly GroupMember[], dryRun: boolean) {
    if (this.acceptsAll) return { stored: members.length, unchanged: 0, problems: [] };
    const isStored = (member: GroupMember) =>
      this.members.some(({ key, groupUuid }) => key.value === member.key.value && groupUuid === member.groupUuid);
    const problems = members.flatMap(({ key }, row) => {
      const refused = this.refusedRows.get(String(key.value));
      return refused === undefined ? [] : [{ row, ...refused }];
    });
    const fit = members.filter(({ key }) => !this.refusedRows.has(String(key.value)));
    const added = fit.filter((member) => !isStored(member));
    if (!dryRun) {
      const stored = added.map((member) => create(GroupMemberSchema, { ...member, uuid: crypto.randomUUID() }));
      this.members = [...this.members, ...stored];
    }
    return { stored: added.length, unchanged: fit.length - added.length, problems };
  }

  #changeDenyList(wallets: readonly string[], remove: boolean, dryRun: boolean) {
    const problems = wallets.flatMap((wallet, row) =>
      wallet.startsWith("0x") ? [] : [{ row, field: "wallet", message: "must be an address" }],
    );
    const fit = wallets.filter((wallet) => wallet.startsWith("0x"));
    const changed = fit.filter((wallet) => this.denyList.includes(wallet) === remove);
    if (!dryRun) {
      this.denyList = remove
        ? this.denyList.filter((wallet) => !changed.includes(wallet))
        : [...this.denyList, ...changed];
    }
    return { changed: changed.length, unchanged: fit.length - changed.length, problems };
  }

  #servePermits({ service }: Parameters<Parameters<typeof createRouterTransport>[0]>[0]): void {
    service(PermitService, {
      createKey: () => {
        const key = fakeKey(PermitKeyStatus.NEXT, this.keys.length + 1);
        this.keys.unshift(key);
        return { key };
      },
      activateKey: ({ keyUuid, override }) => {
        const key = this.keys.find((one) => one.keyUuid === keyUuid);
        if (key === undefined) throw new ConnectError("there is no such key", Code.NotFound);
        if (!override && key.contract !== ContractKnowledge.KNOWN) {
          throw new ConnectError("the contract doesn't know the key", Code.FailedPrecondition);
        }
        for (const one of this.keys) if (one.status === PermitKeyStatus.ACTIVE) one.status = PermitKeyStatus.RETIRED;
        key.status = PermitKeyStatus.ACTIVE;
        return { key };
      },
      retireKey: ({ keyUuid }) => {
        this.keys = this.keys.filter((one) => one.keyUuid !== keyUuid);
        return {};
      },
      listKeys: () => ({ keys: this.keys }),
      getSigner: () => ({}),
      listPermits: ({ pageSize, pageToken }) => {
        const from = Number(pageToken || "0");
        const next = from + pageSize;
        return {
          permits: this.permits.slice(from, next),
          nextPageToken: next < this.permits.length ? String(next) : "",
        };
      },
      listPermitSummaries: ({ saleUuids }) => ({
        sales: saleUuids.map((saleUuid) => ({
          saleUuid,
          permits: BigInt(this.permits.length),
          lastDay: BigInt(this.permits.length),
          enabled: this.rules.enabled,
          hasActiveKey: this.keys.some(({ status }) => status === PermitKeyStatus.ACTIVE),
        })),
      }),
      countPermits: () => ({
        permits: BigInt(this.permits.length),
        entities: 1n,
        wallets: 1n,
        unexpired: this.unexpiredPermits,
        hours: this.hours,
      }),
    });
  }

  #serveReviews({ service }: Parameters<Parameters<typeof createRouterTransport>[0]>[0]): void {
    service(EntityService, {
      getSetupPolicy: () => ({ isReviewer: this.isReviewer }),
      listReviews: ({ entityUuid }) => ({
        reviews: this.reviews.filter(({ entity }) => entityUuid === "" || entity?.uuid === entityUuid),
      }),
      decideReview: ({ entityUuid, expectedVersion }) => {
        const review = this.reviews.find(({ entity }) => entity?.uuid === entityUuid);
        if (review?.entity?.version !== expectedVersion) throw new ConnectError("changed meanwhile", Code.Aborted);
        this.reviews = this.reviews.filter((one) => one !== review);
        return { entity: review.entity };
      },
    });
  }
}

/** Returns a key that the contract doesn't know. */
export function fakeKey(status: PermitKeyStatus, number = 1): PermitKey {
  return create(PermitKeySchema, {
    keyUuid: `77777777-7777-4777-8777-${String(number).padStart(12, "0")}`,
    status,
    address: `0x${String(number).padStart(40, "a")}`,
    chain: "harbour",
    kind: 1,
    createdAt: timestampFromMs(Date.UTC(2027, 0, 1)),
    contract: ContractKnowledge.UNKNOWN_KEY,
  });
}
