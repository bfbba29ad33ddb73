import { randomUUID } from "node:crypto";
import { Registry } from "prom-client";
import { describe } from "vitest";
import { Env } from "../../../common/platform/config/env.ts";
import { Lifecycle } from "../../../common/platform/lifecycle/lifecycle.ts";
import { captureLog } from "../../../common/platform/testing/log-capture.ts";
import { startGateway } from "../../../gateway/composition.ts";
import { gatewayConfig } from "../../../gateway/config.ts";
import { openGatewayPort } from "../../../gateway/testing/gateway-parts.ts";
import { PageBrowser } from "../../../gateway/testing/page-browser.ts";
import { authSurfaceConfig } from "../../../gateway/web/sessions/auth-config.ts";
import { EntityType } from "../../../proto/gen/tidemark/entities/v1/entity_pb.ts";
import { newToken } from "../../../services/auth/testing/application.ts";
import type { sampleRules } from "../../../services/entities/testing/sample-rules.ts";
import { databases, type TestDatabase } from "../databases/databases.ts";
import { BROWSER_COOKIE, SESSION_COOKIE } from "../pages/auth-web.ts";
import { ISSUER, type SignedIn } from "../processes/auth-fixture.ts";
import { describeService, serviceOf } from "../processes/describe-service.ts";
import { type EntitiesFixture, type EntitiesFixtureOptions, startEntities } from "../processes/entities-fixture.ts";
import { TcpProxy } from "../processes/tcp-proxy.ts";
import { type OpenApi, operationsOf } from "../repository/openapi.ts";
import { type OwnedSale, openForBids, ownedSale, sampleRulesMessage } from "../sales/participation-sales.ts";
import { CheckedAnswers } from "./checked-answers.ts";

/** An answer of a call, with its JSON body. */
export interface CallAnswer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: the body is compared as a whole or by field
  readonly body: any;
}

/** A user of a sale's application. */
export interface Participant {
  readonly email: string;
  readonly session: SignedIn;
  readonly accessToken: string;
}

/** The entities service with auth and commitments behind a real gateway, which applications call by HTTP. */
export interface ParticipationWeb {
  readonly service: EntitiesFixture;
  /** The origin on which the gateway listens. */
  readonly origin: string;
  /** The log lines of the gateway. */
  readonly log: readonly Record<string, unknown>[];
  /** The gateway's way to the entities service. */
  readonly toEntities: TcpProxy;
  /** Opens a sale whose contract takes bids, with an active key and rules by which everyone may take part. */
  openSale(rules?: Parameters<typeof sampleRules>[0]): Promise<OwnedSale>;
  /** Signs a person in and gets a token of the sale's application, with all scopes. */
  user(saleUuid: string): Promise<Participant>;
  /** Creates an entity of a user. @param complete whether a reviewer has approved it, with the country `DE` */
  createEntity(user: Participant, options?: { readonly label?: string; readonly complete?: boolean }): Promise<void>;
  /** Returns the browser of somebody who is signed in, for the dashboard. */
  browserOf(session: SignedIn): PageBrowser;
  /** Calls an operation, and holds the answer against the OpenAPI document. @param body a text is sent as it is */
  call(path: string, body: object | string, accessToken: string): Promise<CallAnswer>;
  stop(): Promise<void>;
}

export interface ParticipationWebOptions {
  /** `PUBLIC_PATH_PREFIX` */
  readonly pathPrefix?: string;
  readonly entities?: EntitiesFixtureOptions;
}

export async function startParticipationWeb(
  testDatabase: TestDatabase,
  { pathPrefix = "svc", entities }: ParticipationWebOptions = {},
): Promise<ParticipationWeb> {
  const service = await startEntities(testDatabase, entities);
  const toEntities = await TcpProxy.start([Number(new URL(service.url).port)]);
  const { logger, lines } = captureLog();
  const lifecycle = new Lifecycle({ logger });
  const env = new Env({ GATEWAY_PORT: "0", AUTH_URL: ISSUER, PUBLIC_PATH_PREFIX: pathPrefix });
  const config = gatewayConfig(env);
  const { server, counters } = await openGatewayPort(config);
  startGateway({
    config,
    server,
    counters,
    commitments: service.auth.commitments.as("gateway").commitments,
    auth: {
      config: authSurfaceConfig(env),
      clients: service.auth.as("gateway"),
      entitiesUpstream: service.as("gateway", undefined, `http://127.0.0.1:${toEntities.port}`),
      dashboard: service.auth.commitments.as("gateway"),
    },
    lifecycle,
    registry: new Registry(),
    logger,
  });
  const origin = `http://127.0.0.1:${server.port}`;
  let documented: Promise<DocumentedOperations> | undefined;
  return {
    service,
    origin,
    log: lines,
    toEntities,
    openSale: (rules) => openSale(service, rules),
    user: async (saleUuid) => {
      const email = `${randomUUID()}@example.com`;
      const session = await service.auth.signIn(email);
      return { email, session, accessToken: await service.accessToken(session, saleUuid) };
    },
    createEntity: (user, options) => createEntity(service, user, options),
    browserOf: ({ sessionToken }) => {
      const browser = new PageBrowser(origin);
      browser.cookies.set(SESSION_COOKIE, sessionToken).set(BROWSER_COOKIE, newToken());
      return browser;
    },
    call: async (path, body, accessToken) => {
      documented ??= readDocument(origin);
      const { answers, ids } = await documented;
      const headers = { "content-type": "application/json", authorization: `api:Bearer ${accessToken}` };
      const text = typeof body === "string" ? body : JSON.stringify(body);
      const answer = await fetch(origin + path, { method: "POST", body: text, headers });
      return { status: answer.status, body: await answers.check(ids.get(path) ?? path, answer) };
    },
    stop: async () => {
      await lifecycle.stop();
      await toEntities[Symbol.asyncDispose]();
      await service.stop();
    },
  };
}

interface DocumentedOperations {
  readonly answers: CheckedAnswers;
  /** The IDs of operations by path. */
  readonly ids: ReadonlyMap<string, string>;
}

async function readDocument(origin: string): Promise<DocumentedOperations> {
  const document: OpenApi = await (await fetch(`${origin}/openapi.json`)).json();
  const ids = operationsOf(document).flatMap(({ method, path, operationId }): [string, string][] =>
    method === "POST" ? [[path, operationId]] : [],
  );
  return { answers: new CheckedAnswers(document), ids: new Map(ids) };
}

/** Declares tests for each kind of database. */
export function describeParticipationWeb(title: string, tests: (web: () => ParticipationWeb) => void): void {
  describeService(title, (database) => startParticipationWeb(database), tests);
}

/** Declares tests that don't depend on the kind of database. They run once. */
export function describeOneParticipationWeb(
  title: string,
  tests: (web: () => ParticipationWeb) => void,
  options?: ParticipationWebOptions,
): void {
  const [variant] = databases();
  if (variant === undefined) throw new Error("there is no database");
  describe(title, () => tests(serviceOf(variant.create, (database) => startParticipationWeb(database, options))));
}

async function openSale(service: EntitiesFixture, rules: Parameters<typeof sampleRules>[0]): Promise<OwnedSale> {
  const sale = await ownedSale(service, "owner");
  const { saleUuid, eligibility, permits } = sale;
  await openForBids(service, saleUuid);
  const { key } = await permits.createKey({ saleUuid });
  await permits.activateKey({ saleUuid, keyUuid: key?.keyUuid ?? "", override: true });
  await eligibility.updateRules({ saleUuid, rules: sampleRulesMessage(rules), expectedVersion: 0n });
  return sale;
}

async function createEntity(
  service: EntitiesFixture,
  { session }: Participant,
  { label = "Alice", complete = true }: { readonly label?: string; readonly complete?: boolean } = {},
): Promise<void> {
  // Entities of the same millisecond have no order.
  service.auth.time.advance(1);
  const { entities } = await service.asPerson(session);
  const { entities: own } = await entities.listEntities({});
  const type = own.length === 0 ? EntityType.PERSON : EntityType.ORGANIZATION;
  const { entity } = await entities.createEntity({ type, label });
  const entityUuid = entity?.uuid ?? "";
  if (!complete) return;
  const begun = await entities.beginSetup({ entityUuid, country: "DE" });
  const approval = { reference: randomUUID(), country: "DE" };
  const expectedVersion = begun.entity?.version ?? 0n;
  await service.entities.decideReview({ entityUuid, expectedVersion, decision: { case: "approval", value: approval } });
}
