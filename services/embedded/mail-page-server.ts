import type { IncomingMessage, ServerResponse } from "node:http";
import { ConfigError } from "../../common/platform/config/config-error.ts";
import { openLoopbackServer } from "../../common/platform/http/loopback-server.ts";
import type { Logger } from "../../common/platform/log/log.ts";
import type { AuthConfig } from "../auth/base/config.ts";
import { readStoredMails } from "../auth/mail/stored-mails.ts";
import { MAIL_PAGE_HEADERS, mailPage } from "./mail-page.ts";

export interface MailPageServer {
  readonly url: string;
  /** Begins to answer. @throws ConfigError where mails leave the machine */
  serve(mail: AuthConfig["mail"], logger: Logger): void;
  stop(deadline: AbortSignal): Promise<void>;
}

/** The most mails on the page. */
const SHOWN_MAILS = 20;
/** Names of this machine, whatever the port: a port-forward may lead from another one. Other sites' names may resolve to it, too. */
const LOCAL_HOST = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/i;
const TEXT = { "content-type": "text/plain; charset=utf-8", "cache-control": "no-store" };

/**
 * Opens the port of the page that shows the mails of an evaluation, and so all sign-in codes, to browsers of this machine: at
 * `localhost` only, whatever `HOST` says.
 *
 * @param port `MAIL_PAGE_PORT`; 0: any free port
 * @throws ConfigError if the port is taken
 */
export async function openMailPage(port: number): Promise<MailPageServer> {
  const server = await openLoopbackServer(port);
  if (!server.isRunning) throw new ConfigError("MAIL_PAGE_PORT", `expected a free port, localhost:${port} is in use`);
  const serve = ({ folder, smtpUrl }: AuthConfig["mail"], logger: Logger) => {
    if (smtpUrl !== undefined || folder === undefined) {
      throw new ConfigError(
        "MAIL_PAGE",
        "expected off, as SMTP_URL sends mails to people, whose codes nobody else may see",
      );
    }
    server.serve((request, response) => {
      answer(folder, request, response).catch((error: unknown) => {
        logger.error({ err: error }, "the mails can't be shown");
        response.writeHead(500, TEXT).end("The mails can't be read. The log says why.\n");
      });
    });
  };
  return { url: `http://localhost:${server.port}`, serve, stop: server.stop };
}

async function answer(folder: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (!LOCAL_HOST.test(request.headers.host ?? "")) {
    return void response.writeHead(403, TEXT).end("This page answers at localhost only.\n");
  }
  if (request.method !== "GET") return void response.writeHead(405, { ...TEXT, allow: "GET" }).end("Only GET.\n");
  if (request.url !== "/") return void response.writeHead(404, TEXT).end("There is no such page.\n");
  const page = mailPage(await readStoredMails(folder, SHOWN_MAILS));
  response.writeHead(200, MAIL_PAGE_HEADERS).end(page);
}
