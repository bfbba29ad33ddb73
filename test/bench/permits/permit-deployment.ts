import { createHash, randomBytes, randomUUID } from "node:crypto";
import { create, toBinary } from "@bufbuild/protobuf";
import { Env } from "../../../common/platform/config/env.ts";
import { bytesOfHex } from "../../../common/platform/encoding/hex.ts";
import { ENTITIES_AUDIENCE } from "../../../common/platform/rpc/identity/audiences.ts";
import { systemClock } from "../../../common/platform/time/clock.ts";
import { SaleStage, Tenancy } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { IssuePermitRequestSchema } from "../../../proto/gen/tidemark/entities/v1/permit_service_pb.ts";
import { findOrCreateAccount } from "../../../services/auth/accounts/accounts-store.ts";
import { storeConfig as authStoreConfig } from "../../../services/auth/base/config.ts";
import { newOpaqueToken, opaqueTokenHash } from "../../../services/auth/base/opaque-token.ts";
import { openStore as openAuthStore } from "../../../services/auth/base/open-store.ts";
import type { AuthDatabase } from "../../../services/auth/base/schema.ts";
import { consentStatement } from "../../../services/auth/consents/consents-store.ts";
import { parametersOf, seedClient, tokensIn } from "../../../services/auth/testing/application.ts";
import { sampleClient } from "../../../services/auth/testing/sample-application.ts";
import { storeConfig } from "../../../services/entities/base/config.ts";
import { deriveKeys } from "../../../services/entities/base/derived-keys.ts";
import { openStore } from "../../../services/entities/base/open-store.ts";
import type { EntitiesDatabase } from "../../../services/entities/base/schema.ts";
import { ensureSaleEntity } from "../../../services/entities/entities/sale-entities-store.ts";
import { writeRules } from "../../../services/entities/rules/rules-store.ts";
import { storeEntity } from "../../../services/entities/testing/sample-entity.ts";
import { sampleRules } from "../../../services/entities/testing/sample-rules.ts";
import type { MariaDb } from "../../support/databases/mariadb.ts";
import { type AuthProcess, generateAuthCallerKeys, startAuthProcess } from "../../support/processes/auth-process.ts";
import type { RunningProcess } from "../../support/processes/child-process.ts";
import { type CommitmentsProcess, startCommitmentsProcess } from "../../support/processes/commitments-process.ts";
import { type EntitiesProcess, startEntitiesProcess } from "../../support/processes/entities-process.ts";
import { type GatewayProcess, startGatewayProcess } from "../../support/processes/gateway-process.ts";
import { indexerKey } from "../../support/processes/indexer-process.ts";
import { bearer } from "../../support/processes/raw-call.ts";
import { temporaryFolder } from "../../support/processes/temporary-folder.ts";
import { applyUnderLease, auction, evmSource } from "../../support/sales/sale-messages.ts";

const KEY_ENCRYPTION_KEY = Buffer.alloc(32, 7);
const ISSUER = "https://auth.example";
const NOBODY = "http://127.0.0.1:1";
const CODE_VERIFIER = "v".repeat(43);

/** An open EVM sale without screening, whose participants ask for permits. */
export interface PermitDeployment {
  /** `IssuePermit`. */
  readonly url: string;
  /** The bodies of requests, one for each participant, in the binary format, as the gateway sends them. */
  readonly requests: readonly Uint8Array[];
  /** The requests before they are encoded. */
  readonly participants: readonly Participant[];
  readonly services: { readonly auth: AuthProcess; readonly commitments: CommitmentsProcess };
  /** Start further processes on the databases of the first ones, with some other settings. */
  readonly start: StartOfOthers;
  readonly processes: readonly { readonly name: string; readonly pid: number }[];
  /** Returns the `authorization` header of the gateway, valid for five minutes. */
  authorization(): Promise<string>;
  /** Returns the number of permits that were recorded. */
  permits(): Promise<number>;
}

/** The request of a participant for a permit. */
export interface Participant {
  readonly access: { readonly accessToken: string };
  readonly saleUuid: string;
  readonly entityUuid: string;
  readonly wallet: string;
}

type Settings = Readonly<Record<string, string>>;

export interface StartOfOthers {
  auth(settings: Settings): Promise<AuthProcess>;
  commitments(settings: Settings): Promise<CommitmentsProcess>;
  entities(settings: Settings): Promise<EntitiesProcess>;
  /** @param settings with the URLs of the services that it calls */
  gateway(settings: Settings): Promise<GatewayProcess>;
}

/** Starts auth, commitments and entities service, each a process with a database of its own on the server. */
export async function startPermitDeployment(
  stack: AsyncDisposableStack,
  mariaDb: MariaDb,
  participants: number,
): Promise<PermitDeployment> {
  const folder = await temporaryFolder();
  stack.defer(() => folder.remove());
  const urls = {
    auth: await mariaDb.createDatabase("auth"),
    commitments: await mariaDb.createDatabase("commitments"),
    entities: await mariaDb.createDatabase("entities"),
  };
  const keys = generateAuthCallerKeys();
  const shared = { AUTH_URL: ISSUER, KEY_ENCRYPTION_KEY: KEY_ENCRYPTION_KEY.toString("base64url") };
  const ended = <Started extends { readonly process: RunningProcess }>(started: Started): Started =>
    stack.adopt(started, async ({ process }) => void (await process.kill("SIGTERM")));
  const otherCallers = { entities: keys.entities.text, gateway: keys.gateway.text, indexer: indexerKey.text };
  const startCommitments = async (settings: Settings) =>
    ended(await startCommitmentsProcess({ MYSQL_URL: urls.commitments, ...settings }, { otherCallers }));
  const commitments = await startCommitments({});
  const own = { MAIL_DIR: folder.path, CALLER_KEY: keys.commitments.text, AUTH_RATE_LIMITS: "off" };
  const ofAuth = { ...shared, ...own, MYSQL_URL: urls.auth, COMMITMENTS_URL: commitments.url };
  const startAuth = async (settings: Settings) => ended(await startAuthProcess({ ...ofAuth, ...settings }, keys));
  const auth = await startAuth({});
  const upstreams = { AUTH_RPC_URL: auth.url, COMMITMENTS_URL: commitments.url, INDEXER_URL: NOBODY };
  const ofEntities = { ...shared, ...upstreams, MYSQL_URL: urls.entities, CALLER_KEY: keys.entities.text };
  const startEntities = async (settings: Settings) =>
    ended(await startEntitiesProcess({ ...ofEntities, ...settings }, keys));
  const entities = await startEntities({});
  const ofGateway = { AUTH_URL: ISSUER, CALLER_NAME: "gateway", CALLER_KEY: keys.gateway.text };
  const authDatabase = await openAuthStore(authStoreConfig(new Env({ MYSQL_URL: urls.auth })));
  stack.defer(() => authDatabase.close());
  const database = await openStore(storeConfig(new Env({ MYSQL_URL: urls.entities })));
  stack.defer(() => database.close());
  const saleUuid = await openSale(commitments, entities, database);
  const created = await createParticipants({ auth, authDatabase, database, saleUuid }, participants);
  const toRequest = (participant: Participant) =>
    toBinary(IssuePermitRequestSchema, create(IssuePermitRequestSchema, participant));
  return {
    url: `${entities.url}/tidemark.entities.v1.PermitService/IssuePermit`,
    requests: created.map(toRequest),
    participants: created,
    services: { auth, commitments },
    start: {
      auth: startAuth,
      commitments: startCommitments,
      entities: startEntities,
      gateway: async (settings) => ended(await startGatewayProcess({ ...ofGateway, ...settings })),
    },
    processes: [
      { name: "entities", pid: entities.process.pid },
      { name: "auth", pid: auth.process.pid },
      { name: "MariaDB", pid: mariaDb.pid },
    ],
    authorization: () => bearer({ name: "gateway", key: keys.gateway.key, audience: ENTITIES_AUDIENCE }),
    permits: async () => Number((await entities.as("operator").permits.countPermits({ saleUuid })).permits),
  };
}

async function openSale(
  commitments: CommitmentsProcess,
  entities: EntitiesProcess,
  database: EntitiesDatabase,
): Promise<string> {
  const saleUuid = randomUUID();
  const definition = auction({ source: evmSource() });
  await commitments.sales.createSale({ saleUuid, tenancy: Tenancy.TEST, definition });
  await commitments.sales.openSale({ saleUuid, overrideConfirmName: definition.name ?? "" });
  await applyUnderLease(commitments, saleUuid, { stage: SaleStage.COMMITMENT });
  const { permits } = entities.as("operator");
  const { key } = await permits.createKey({ saleUuid });
  await permits.activateKey({ saleUuid, keyUuid: key?.keyUuid ?? "", override: true });
  await database.write((transaction) =>
    writeRules(transaction, saleUuid, { rules: sampleRules(), expectedVersion: 0n }, 0n),
  );
  return saleUuid;
}

interface Sites {
  readonly auth: AuthProcess;
  readonly authDatabase: AuthDatabase;
  readonly database: EntitiesDatabase;
  readonly saleUuid: string;
}

/** Creates people with a complete entity each, who have consented to the sale's application. */
async function createParticipants(sites: Sites, count: number): Promise<readonly Participant[]> {
  const client = sampleClient({ uuid: randomUUID(), saleUuid: sites.saleUuid });
  await seedClient(sites.authDatabase, client);
  const participants: Participant[] = [];
  for (let number = 0; number < count; number += 1) participants.push(await createParticipant(sites, client, number));
  return participants;
}

async function createParticipant(
  { auth, authDatabase, database, saleUuid }: Sites,
  client: ReturnType<typeof sampleClient>,
  number: number,
): Promise<Participant> {
  const email = `user-${number}@bench.example`;
  const code = newOpaqueToken();
  const nowMs = BigInt(Date.now());
  const scopes = client.definition.scopes.map(({ scope }) => scope);
  const { dialect } = authDatabase;
  const account = await authDatabase.write(async (transaction) => {
    const account = await findOrCreateAccount(transaction, dialect, email, nowMs);
    const key = { accountUuid: account.uuid, clientUuid: client.uuid };
    await transaction.executeQuery(consentStatement(dialect, key, { granted: scopes, declined: [] }, nowMs));
    const row = {
      code: opaqueTokenHash(code),
      client: bytesOfHex(client.uuid),
      account: bytesOfHex(account.uuid),
      family: bytesOfHex(randomUUID()),
      redirect_uri: client.definition.redirectUris[0] ?? "",
      scopes: scopes.join(" "),
      code_challenge: createHash("sha256").update(CODE_VERIFIER).digest("base64url"),
      token_generation: 0n,
      authenticated_at_ms: nowMs,
      created_at_ms: nowMs,
      expires_at_ms: nowMs + 60_000n,
    };
    await transaction.insertInto("authorization_code").values(row).execute();
    return account;
  });
  const parameters = parametersOf({
    ...{ grant_type: "authorization_code", client_id: client.uuid, code, code_verifier: CODE_VERIFIER },
    redirect_uri: client.definition.redirectUris[0] ?? "",
  });
  const { accessToken } = tokensIn((await auth.as("gateway").authorization.issueTokens({ parameters })).result);
  const given = { accountUuid: account.uuid, setupState: "complete", provider: "review", country: "DE" } as const;
  const entity = await storeEntity(database, given);
  const derivedKeys = deriveKeys(KEY_ENCRYPTION_KEY);
  const { publicUuid } = await ensureSaleEntity({ database, derivedKeys, clock: systemClock }, saleUuid, entity, email);
  const wallet = `0x${randomBytes(20).toString("hex")}`;
  return { access: { accessToken }, saleUuid, entityUuid: publicUuid, wallet };
}
