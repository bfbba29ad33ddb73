import { randomBytes } from "node:crypto";
import { generateCallerKey } from "../../../common/platform/rpc/identity/caller-keys.ts";
import { Tenancy } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { openStore } from "../../../services/auth/base/open-store.ts";
import type { AuthDatabase } from "../../../services/auth/base/schema.ts";
import { type ApplicationSite, serveApplication } from "../applications/application-site.ts";
import { createFitClient } from "../applications/fit-client.ts";
import type { AuthClients } from "../processes/auth-clients.ts";
import { generateAuthCallerKeys, startAuthProcess } from "../processes/auth-process.ts";
import { startCommitmentsProcess } from "../processes/commitments-process.ts";
import { startGatewayProcess } from "../processes/gateway-process.ts";
import { type SmtpSink, startSmtpSink } from "../processes/smtp-sink.ts";
import { temporaryFolder } from "../processes/temporary-folder.ts";
import type { TlsCertificate } from "../processes/tls-certificate.ts";
import { startTlsFront } from "../processes/tls-front.ts";
import { auction } from "../sales/sale-messages.ts";

export const AUTH_HOST = "auth.example";

/** Commitments, auth and gateway as processes behind TLS, with mails by SMTP. */
export interface SignInSite {
  /** `AUTH_URL`. */
  readonly origin: string;
  /** The origin of the gateway without TLS. */
  readonly gatewayUrl: string;
  readonly application: ApplicationSite;
  /** A client of a live sale, which returns to `application.callback`. */
  readonly clientUuid: string;
  /** A client of a test sale, which returns to `application.loopbackCallback`. */
  readonly loopbackClientUuid: string;
  readonly operator: AuthClients;
  /** A separate connection to the auth service's database. */
  readonly database: AuthDatabase;
  readonly mails: SmtpSink["mails"];
  stop(): Promise<void>;
}

/** @param certificate for `AUTH_HOST` and the application's hosts */
export async function startSignInSite(certificate: TlsCertificate): Promise<SignInSite> {
  const stack = new AsyncDisposableStack();
  try {
    return await startOn(stack, certificate);
  } catch (error) {
    await stack.disposeAsync();
    throw error;
  }
}

async function startOn(stack: AsyncDisposableStack, certificate: TlsCertificate): Promise<SignInSite> {
  const folder = stack.adopt(await temporaryFolder(), ({ remove }) => remove());
  const smtp = stack.adopt(await startSmtpSink(), ({ stop }) => stop());
  const front = stack.adopt(await startTlsFront(certificate), ({ close }) => close());
  const application = stack.adopt(await serveApplication(certificate), ({ close }) => close());
  const origin = `https://${AUTH_HOST}:${front.port}`;
  const common = { AUTH_URL: origin, DATA_DIR: folder.path };
  const callers = generateAuthCallerKeys();
  const authAtCommitments = generateCallerKey();
  const commitments = await startCommitmentsProcess(
    { DATA_DIR: folder.path },
    { otherCallers: { auth: authAtCommitments.text, gateway: callers.gateway.text } },
  );
  stack.defer(() => commitments.process.kill().then(() => undefined));
  const auth = await startAuthProcess(
    {
      ...common,
      KEY_ENCRYPTION_KEY: randomBytes(32).toString("base64url"),
      SMTP_URL: `smtp://127.0.0.1:${smtp.port}`,
      MAIL_FROM: "The Sale <sale@auth.example>",
      COMMITMENTS_URL: commitments.url,
      CALLER_KEY: authAtCommitments.text,
    },
    callers,
  );
  stack.defer(() => auth.process.kill().then(() => undefined));
  const gateway = await startGatewayProcess({
    ...common,
    COMMITMENTS_URL: commitments.url,
    AUTH_RPC_URL: auth.url,
    CALLER_NAME: "gateway",
    CALLER_KEY: callers.gateway.text,
  });
  stack.defer(() => gateway.process.kill().then(() => undefined));
  front.leadTo(gateway.port);
  const operator = auth.as("operator");
  const newClient = async (tenancy: Tenancy, redirectUri: string) => {
    const { sale } = await commitments.sales.createSale({ tenancy, definition: auction() });
    return createFitClient(operator, sale?.uuid ?? "", { redirectUris: [redirectUri] });
  };
  const clientUuid = await newClient(Tenancy.LIVE, application.callback);
  const loopbackClientUuid = await newClient(Tenancy.TEST, application.loopbackCallback);
  const database = await openStore({ sqliteFile: `${folder.path}/auth.sqlite` });
  stack.defer(() => database.close());
  return {
    origin,
    gatewayUrl: `http://127.0.0.1:${gateway.port}`,
    application,
    clientUuid,
    loopbackClientUuid,
    operator,
    database,
    mails: smtp.mails,
    stop: () => stack.disposeAsync(),
  };
}
