import { createClient } from "@connectrpc/connect";
import { createRpcTransport } from "../../../common/platform/rpc/client/client.ts";
import {
  AUTH_AUDIENCE,
  COMMITMENTS_AUDIENCE,
  ENTITIES_AUDIENCE,
} from "../../../common/platform/rpc/identity/audiences.ts";
import { generateCallerKey } from "../../../common/platform/rpc/identity/caller-keys.ts";
import { CommitmentService } from "../../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import { SaleStage } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { SaleService } from "../../../proto/gen/tidemark/commitments/v1/sale_service_pb.ts";
import type { sampleRules } from "../../../services/entities/testing/sample-rules.ts";
import { actingTransport } from "../processes/acting-transport.ts";
import { authClients } from "../processes/auth-clients.ts";
import type { CommitmentsClients } from "../processes/commitments-fixture.ts";
import { startEmbedded } from "../processes/embedded.ts";
import { type EntitiesClients, entitiesClients } from "../processes/entities-clients.ts";
import { temporaryFolder } from "../processes/temporary-folder.ts";
import { sampleRulesMessage } from "../sales/participation-sales.ts";
import { applyUnderLease, auction, draftSale, evmSource } from "../sales/sale-messages.ts";
import { type ExistingApplication, serveExistingApplication } from "./existing-application.ts";
import { createFitClient } from "./fit-client.ts";

const RPCS = /RPCs .*: (\S+); of the indexer: \S+; of auth: (\S+); of entities: (\S+)$/m;
const CALL_TIMEOUT_MS = 60_000;
const NAME = "Auction";

/** Tidemark in one process as it takes the place of the existing service, with an application and its open sale. */
export interface ExistingClientSite {
  readonly application: ExistingApplication;
  /** The origin of the API. */
  readonly apiUrl: string;
  readonly saleUuid: string;
  /** The folder with the mails. */
  readonly mailFolder: string;
  /** RPC clients of an operator. */
  readonly operator: CommitmentsClients & EntitiesClients;
  /** RPC clients for what a person does on the pages. @param sessionToken the session's cookie */
  asPerson(sessionToken: string): Promise<EntitiesClients>;
  setRules(rules: Parameters<typeof sampleRules>[0]): Promise<void>;
  setStage(stage: SaleStage): Promise<void>;
  stop(): Promise<void>;
}

/** Starts everything and opens the sale, with an active key and rules by which everyone may take part. */
export async function startExistingClientSite(): Promise<ExistingClientSite> {
  const stack = new AsyncDisposableStack();
  try {
    return await startOn(stack);
  } catch (error) {
    await stack.disposeAsync();
    throw error;
  }
}

async function startOn(stack: AsyncDisposableStack): Promise<ExistingClientSite> {
  const folder = stack.adopt(await temporaryFolder(), ({ remove }) => remove());
  const mails = stack.adopt(await temporaryFolder(), ({ remove }) => remove());
  const keys = { gateway: generateCallerKey(), operator: generateCallerKey() };
  const tidemark = await startEmbedded("node", {
    DATA_DIR: folder.path,
    MAIL_DIR: mails.path,
    DEMO: "off",
    PUBLIC_PATH_PREFIX: "sonar",
    ACCESS_TOKEN_TTL: "60m",
    CALLER_KEYS: Object.entries(keys)
      .map(([name, { text }]) => `${name}=${text}`)
      .join(","),
  });
  stack.defer(() => tidemark.stop());
  const [, commitmentsUrl = "", authUrl = "", entitiesUrl = ""] = await tidemark.process.waitForLine(RPCS);
  const transportOf = (name: keyof typeof keys, baseUrl: string, audience: string) =>
    createRpcTransport({
      baseUrl,
      caller: { name, key: keys[name].key, audience },
      defaultTimeoutMs: CALL_TIMEOUT_MS,
    });
  const toCommitments = transportOf("operator", commitmentsUrl, COMMITMENTS_AUDIENCE);
  const operator = {
    sales: createClient(SaleService, toCommitments),
    commitments: createClient(CommitmentService, toCommitments),
    ...entitiesClients(transportOf("operator", entitiesUrl, ENTITIES_AUDIENCE)),
  };
  const { accounts } = authClients(transportOf("gateway", authUrl, AUTH_AUDIENCE));
  const application = stack.adopt(await serveExistingApplication(), ({ close }) => close());
  const { origin: apiURL, port } = new URL(tidemark.publicReadUrl);
  const redirectURI = `${application.origin}/callback`;
  const saleUuid = await draftSale(operator, auction({ name: NAME, source: evmSource() }));
  const auth = authClients(transportOf("operator", authUrl, AUTH_AUDIENCE));
  const clientUUID = await createFitClient(auth, saleUuid, { redirectUris: [redirectURI] });
  const frontendURL = `http://localhost:${port}`;
  application.configure({ apiURL, frontendURL, clientUUID, redirectURI, saleUUID: saleUuid });
  const setRules = async (rules: Parameters<typeof sampleRules>[0]) => {
    const { version } = await operator.eligibility.getRules({ saleUuid });
    await operator.eligibility.updateRules({ saleUuid, rules: sampleRulesMessage(rules), expectedVersion: version });
  };
  const setStage = async (stage: SaleStage) => void (await applyUnderLease(operator, saleUuid, { stage }));
  await openSale(operator, saleUuid);
  await setStage(SaleStage.COMMITMENT);
  await setRules({});
  return {
    application,
    apiUrl: apiURL,
    saleUuid,
    mailFolder: mails.path,
    operator,
    asPerson: async (sessionToken) => {
      const { actorToken } = await accounts.issueActorToken({ sessionToken, audience: ENTITIES_AUDIENCE });
      return entitiesClients(actingTransport(transportOf("gateway", entitiesUrl, ENTITIES_AUDIENCE), actorToken));
    },
    setRules,
    setStage,
    stop: () => stack.disposeAsync(),
  };
}

async function openSale({ sales, permits }: CommitmentsClients & EntitiesClients, saleUuid: string): Promise<void> {
  await sales.openSale({ saleUuid, overrideConfirmName: NAME });
  const { key } = await permits.createKey({ saleUuid });
  await permits.activateKey({ saleUuid, keyUuid: key?.keyUuid ?? "", override: true });
}
