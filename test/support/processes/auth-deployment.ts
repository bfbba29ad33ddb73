import { generateCallerKey } from "../../../common/platform/rpc/identity/caller-keys.ts";
import { PageBrowser } from "../../../gateway/testing/page-browser.ts";
import { codeIn } from "../../../services/auth/testing/mail-outbox.ts";
import type { TestDatabase } from "../databases/databases.ts";
import { type AuthProcess, generateAuthCallerKeys, startAuthProcess } from "./auth-process.ts";
import { type CommitmentsProcess, startCommitmentsProcess } from "./commitments-process.ts";
import { freePort } from "./free-port.ts";
import { type GatewayProcess, startGatewayProcess } from "./gateway-process.ts";
import { type SmtpSink, startSmtpSink } from "./smtp-sink.ts";
import { temporaryFolder } from "./temporary-folder.ts";

const KEY_ENCRYPTION_KEY = Buffer.alloc(32, 7).toString("base64url");

/** Gateway, auth and commitments service as processes, with an SMTP server. */
export interface AuthDeployment {
  /** `AUTH_URL`: the issuer and the origin of the pages. */
  readonly issuer: string;
  readonly auth: AuthProcess;
  readonly gateway: GatewayProcess;
  readonly commitments: CommitmentsProcess;
  readonly smtp: SmtpSink;
  /** The log lines of all processes. */
  output(): string;
  browser(): PageBrowser;
  /** Returns the code in the last mail to an address. */
  mailedCode(email: string): string;
  stop(): Promise<void>;
}

/** @param env settings of all processes besides their own */
export async function startAuthDeployment(
  database: TestDatabase,
  env: Readonly<Record<string, string>> = {},
): Promise<AuthDeployment> {
  const [folder, smtp, port] = [await temporaryFolder(), await startSmtpSink(), await freePort()];
  const issuer = `http://127.0.0.1:${port}`;
  const store = { ...env, DATA_DIR: folder.path, ...(database.dialect === "mysql" ? { MYSQL_URL: database.url } : {}) };
  const keys = generateAuthCallerKeys();
  const [ownOfAuth, ownOfGateway] = [generateCallerKey(), keys.gateway];
  const otherCallers = { auth: ownOfAuth.text, gateway: ownOfGateway.text };
  const commitments = await startCommitmentsProcess(store, { otherCallers });
  const auth = await startAuthProcess(
    {
      ...store,
      AUTH_URL: issuer,
      KEY_ENCRYPTION_KEY,
      SMTP_URL: `smtp://127.0.0.1:${smtp.port}`,
      MAIL_FROM: "Tidemark <sign-in@tidemark.example>",
      COMMITMENTS_URL: commitments.url,
      CALLER_KEY: ownOfAuth.text,
    },
    keys,
  );
  const gateway = await startGatewayProcess({
    ...env,
    GATEWAY_PORT: String(port),
    AUTH_URL: issuer,
    AUTH_RPC_URL: auth.url,
    COMMITMENTS_URL: commitments.url,
    CALLER_NAME: "gateway",
    CALLER_KEY: ownOfGateway.text,
  });
  const processes = [gateway, auth, commitments].map(({ process }) => process);
  return {
    issuer,
    auth,
    gateway,
    commitments,
    smtp,
    output: () => processes.map((process) => process.output()).join("\n"),
    browser: () => new PageBrowser(issuer),
    mailedCode: (email) => codeIn(mailTo(smtp, email)),
    stop: async () => {
      await Promise.all(processes.map((process) => process.kill()));
      await smtp.stop();
      await folder.remove();
    },
  };
}

/** Returns the text of the last mail to an address. The SMTP server has accepted it before the page confirms it. */
function mailTo({ mails }: SmtpSink, email: string): string {
  const mail = mails.findLast(({ recipients }) => recipients.includes(email));
  if (mail === undefined) throw new Error(`no mail went to ${email}`);
  return mail.message.text ?? "";
}
