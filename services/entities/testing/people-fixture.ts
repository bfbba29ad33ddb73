import { randomUUID } from "node:crypto";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { type Client, Code, ConnectError, createClient } from "@connectrpc/connect";
import { Registry } from "prom-client";
import { Env } from "../../../common/platform/config/env.ts";
import { toServiceError } from "../../../common/platform/rpc/errors.ts";
import { routerTransport } from "../../../common/platform/rpc/testing/router-transport.ts";
import { FakeClock } from "../../../common/platform/testing/fake-clock.ts";
import { captureLog } from "../../../common/platform/testing/log-capture.ts";
import {
  GetAccountsResponseSchema,
  type NotifyAccountRequestSchema,
  NotifyAccountResponseSchema,
  NotifyReviewerResponseSchema,
} from "../../../proto/gen/tidemark/auth/v1/account_service_pb.ts";
import { CheckAccessResponseSchema } from "../../../proto/gen/tidemark/auth/v1/authorization_service_pb.ts";
import type { CommitmentRecord } from "../../../proto/gen/tidemark/commitments/v1/commitment_pb.ts";
import {
  GetCommitmentRecordsResponseSchema,
  GetPositionResponseSchema,
} from "../../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import { type Sale, SaleSchema, SaleStatus, Tenancy } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { GetSaleResponseSchema } from "../../../proto/gen/tidemark/commitments/v1/sale_service_pb.ts";
import { type Entity, EntityType } from "../../../proto/gen/tidemark/entities/v1/entity_pb.ts";
import { EntityService } from "../../../proto/gen/tidemark/entities/v1/entity_service_pb.ts";
import { ALLOWED_CALLERS } from "../allowed-callers.ts";
import { entitiesConfig } from "../base/config.ts";
import { deriveKeys } from "../base/derived-keys.ts";
import type { Upstreams } from "../base/upstreams.ts";
import { entitiesRoutes } from "../routes.ts";
import { type WiredContext, wireContext } from "../wired-context.ts";
import { openEntitiesDatabase } from "./entities-database.ts";

export const ISSUER = "https://auth.example";

type Entities = Client<typeof EntityService>;
type NoticeRequest = MessageInitShape<typeof NotifyAccountRequestSchema>;

export interface Person {
  readonly accountUuid: string;
  readonly email: string;
  readonly entities: Entities;
  /** Creates an entity: a person by default. */
  createEntity(label?: string, type?: EntityType): Promise<Entity>;
}

/** The rights of an application's token. */
export interface GivenAccess {
  readonly person: Pick<Person, "accountUuid" | "email">;
  readonly saleUuid: string;
  readonly clientUuid?: string;
  /** `read_entities` by default. */
  readonly scopes?: readonly string[];
}

/** The RPCs about entities, without a network, on an SQLite database in memory, with an auth and sales that the test controls. */
export interface PeopleFixture {
  readonly dependencies: WiredContext;
  readonly time: FakeClock;
  /** The addresses of the accounts that auth knows, by UUID. */
  readonly emails: Map<string, string>;
  /** The mails that auth was asked to send. */
  readonly notices: NoticeRequest[];
  /** The mails to reviewers that auth was asked to send. */
  readonly queueMails: { readonly email: string; readonly waiting: number }[];
  /** Makes auth refuse mails while it is set. */
  refuseNotices: boolean;
  /** With what the commitments service refuses calls. */
  readonly faults: Map<"getSale" | "getPosition", Code>;
  readonly sales: Map<string, Sale>;
  readonly records: CommitmentRecord[];
  as(caller: string): Entities;
  /** A person with an account. @param signedInMsAgo the age of the sign-in, 0 by default @param by passkey by default */
  person(name: string, signedInMsAgo?: number, by?: "code" | "passkey"): Person;
  /** Makes a sale, open and in test tenancy by default. @returns its UUID */
  sale(given?: { readonly status?: SaleStatus; readonly tenancy?: Tenancy }): string;
  /** Issues an access token of an application. */
  access(given: GivenAccess): { readonly accessToken: string };
}

/** @param settings of the service, as in the environment */
export async function peopleFixture(settings: Readonly<Record<string, string>> = {}): Promise<PeopleFixture> {
  const time = new FakeClock(BigInt(Date.now()));
  const emails = new Map<string, string>();
  const notices: NoticeRequest[] = [];
  const queueMails: { email: string; waiting: number }[] = [];
  const sales = new Map<string, Sale>();
  const records: CommitmentRecord[] = [];
  const tokens = new Map<string, GivenAccess>();
  const flags = { refuseNotices: false };
  const faults: PeopleFixture["faults"] = new Map();
  const env = { AUTH_URL: ISSUER, KEY_ENCRYPTION_KEY: Buffer.alloc(32, 9).toString("base64url"), ...settings };
  const config = entitiesConfig(new Env(env));
  const dependencies = wireContext({
    ...upstreams({ emails, notices, queueMails, sales, records, faults, tokens, flags }),
    config,
    database: await openEntitiesDatabase(),
    clock: time.now,
    logger: captureLog().logger,
    derivedKeys: deriveKeys(config.keyEncryptionKey),
    registry: new Registry(),
  });
  const routes = entitiesRoutes(dependencies);
  const person = (name: string, signedInMsAgo = 0, by: "code" | "passkey" = "passkey"): Person => {
    const email = `${name}@example.com`;
    const known = [...emails].find(([, each]) => each === email)?.[0];
    const accountUuid = known ?? randomUUID();
    emails.set(accountUuid, email);
    const actor = { accountUuid, authenticatedAtMs: time.now() - BigInt(signedInMsAgo), authenticatedBy: by };
    const transport = routerTransport({ routes, allowed: ALLOWED_CALLERS, caller: "gateway", actor });
    const entities = createClient(EntityService, transport);
    const createEntity = async (label = "Me", type = EntityType.PERSON) => {
      const entity = required((await entities.createEntity({ label, type })).entity);
      // Entities of the same millisecond have no order.
      time.advance(1);
      return entity;
    };
    return { accountUuid, email, entities, createEntity };
  };
  return Object.assign(flags, {
    dependencies,
    time,
    emails,
    notices,
    queueMails,
    sales,
    records,
    faults,
    person,
    as: (caller: string) => createClient(EntityService, routerTransport({ routes, allowed: ALLOWED_CALLERS, caller })),
    sale: ({ status = SaleStatus.OPEN, tenancy = Tenancy.TEST }: { status?: SaleStatus; tenancy?: Tenancy } = {}) => {
      const uuid = randomUUID();
      const pricing = { case: "fixed", value: { priceTicks: "5" } } as const;
      sales.set(uuid, create(SaleSchema, { uuid, status, tenancy, definition: { name: "Harbour", pricing } }));
      return uuid;
    },
    access: (given: GivenAccess) => {
      const accessToken = randomUUID();
      tokens.set(accessToken, given);
      return { accessToken };
    },
  });
}

/** Returns a value that the test knows to be there. */
export function required<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error("a value is missing");
  return value;
}

/** The code of a call's error; undefined if it succeeds. */
export async function codeOf(call: Promise<unknown>): Promise<string | undefined> {
  return call.then(
    () => undefined,
    (error: unknown) => toServiceError(error)?.code ?? String(error),
  );
}

interface State extends Pick<PeopleFixture, "emails" | "notices" | "queueMails" | "sales" | "records" | "faults"> {
  readonly tokens: ReadonlyMap<string, GivenAccess>;
  readonly flags: { readonly refuseNotices: boolean };
}

function upstreams({ emails, notices, queueMails, sales, records, faults, tokens, flags }: State): Upstreams {
  const unused = () => Promise.reject(new ConnectError("not for this test", Code.Unimplemented));
  const refuse = (method: "getSale" | "getPosition") => {
    const code = faults.get(method);
    if (code !== undefined) throw new ConnectError(`${method} is refused`, code);
  };
  return {
    memberships: { getRole: unused, getRoles: unused, recordSaleChange: unused },
    indexer: { checkPermitSigner: unused, checkAccountSignature: unused, checkSource: unused },
    accounts: {
      getAccounts: async ({ accountUuids = [] }) => {
        const known = accountUuids.filter((uuid) => emails.has(uuid));
        const accounts = known.map((uuid) => ({ uuid, email: emails.get(uuid) ?? "" }));
        return create(GetAccountsResponseSchema, { accounts });
      },
      notifyAccount: async (request) => {
        if (flags.refuseNotices) throw new ConnectError("auth is away", Code.Unavailable);
        notices.push(request);
        return create(NotifyAccountResponseSchema);
      },
      notifyReviewer: async (request) => {
        if (flags.refuseNotices) throw new ConnectError("auth is away", Code.Unavailable);
        queueMails.push({ email: request.email ?? "", waiting: request.waiting ?? 0 });
        return create(NotifyReviewerResponseSchema);
      },
    },
    authorization: {
      checkAccess: async ({ accessTokens = [] }) =>
        create(CheckAccessResponseSchema, { checks: accessTokens.map((token) => checkOf(tokens.get(token))) }),
      getJwks: unused,
    },
    sales: {
      getSale: async ({ saleUuid = "" }) => {
        refuse("getSale");
        const sale = sales.get(saleUuid);
        if (sale === undefined) throw new ConnectError(`there is no sale ${saleUuid}`, Code.NotFound);
        return create(GetSaleResponseSchema, { sale });
      },
    },
    commitments: {
      getCommitmentRecords: async ({ commitmentIds = [] }) => {
        const asked = new Set(commitmentIds.map((id) => Buffer.from(id).toString("hex")));
        const found = records.filter(({ commitmentId }) => asked.has(Buffer.from(commitmentId).toString("hex")));
        return create(GetCommitmentRecordsResponseSchema, { records: found });
      },
      getBidOutcomes: unused,
      getPosition: async ({ wallet = "" }) => {
        refuse("getPosition");
        const ofWallet = records.filter(({ amounts }) =>
          amounts.some((amount) => amount.wallet.toLowerCase() === wallet.toLowerCase()),
        );
        const commitments = ofWallet.map(({ entityId }) => ({ commitment: { entityId } }));
        return create(GetPositionResponseSchema, { commitments });
      },
    },
  };
}

function checkOf(given: GivenAccess | undefined) {
  if (given === undefined) return {};
  const { person, saleUuid, clientUuid = "00000000-0000-4000-8000-00000000000c", scopes = ["read_entities"] } = given;
  return {
    access: { accountUuid: person.accountUuid, email: person.email, saleUuid, clientUuid, scopes: [...scopes] },
  };
}
