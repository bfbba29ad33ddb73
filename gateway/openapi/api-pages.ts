import { createHash, randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Logger } from "../../services/shared/log/log.ts";
import { ownHostOf } from "../web/auth/auth-config.ts";
import { acceptsGzip } from "../web/http/content-negotiation.ts";
import { deferAnswer } from "../web/http/deferred-answer.ts";
import { refuseEarly } from "../web/http/early-refusal.ts";
import { PublicDocument } from "../web/http/public-document.ts";
import { internalError, PublicError, sendError } from "../web/http/public-error.ts";
import type { OtherRequests } from "../web/http/request-owners.ts";
import { requestPath } from "../web/http/request-path.ts";
import { sendReading } from "../web/http/send-document.ts";
import { DOCS_PATH, isApiTarget, OPENAPI_PATH } from "./api-paths.ts";
import { docsPage } from "./docs-page.ts";
import { type ApiSite, openApiDocument } from "./openapi-document.ts";
import { readViewerFiles, type ViewerFile, type ViewerFiles } from "./viewer-files.ts";

export interface ApiPagesOptions extends ApiSite {
  readonly logger: Logger;
}

const NOT_FOUND = new PublicError("not_found", "There is nothing at this path.");
const WRONG_METHOD = new PublicError("unimplemented", "This path answers GET, HEAD only.", {
  headers: ["Allow", "GET, HEAD"],
});
const DOCUMENT_CACHE_CONTROL = "public, max-age=300";
const IMMUTABLE = "public, max-age=31536000, immutable";

/** `GET /openapi.json`, and `GET /docs` to read it. They stand where the public read does. */
export function createApiPages({ logger, ...site }: ApiPagesOptions): OtherRequests {
  const document = openApiDocument(site);
  const published = publishedDocument(document);
  const authHost = site.auth && ownHostOf(site.auth);
  // Read when somebody wants to see them: most processes are never asked.
  let reading: Promise<ViewerFiles> | undefined;
  const viewerFiles = (): Promise<ViewerFiles> => {
    reading ??= readViewerFiles().catch((error: unknown) => {
      reading = undefined;
      throw error;
    });
    return reading;
  };
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = requestPath(request.url ?? "");
    const files = await viewerFiles();
    const file = files.byPath.get(path);
    if (path === DOCS_PATH) await sendPage(response, `${docsPage(document, files, site.auth !== undefined)}`, site);
    else if (file === undefined) sendError(response, NOT_FOUND);
    else await sendFile(request, response, file);
  };
  return {
    owns: ({ url = "", headers }) => isApiTarget(url) && (authHost === undefined || headers.host !== authHost),
    handle: (request, response) => {
      if (request.method !== "GET" && request.method !== "HEAD") refuseEarly(request, response, WRONG_METHOD);
      else if (requestPath(request.url ?? "") === OPENAPI_PATH) {
        sendReading(request, response, { representation: published, ageSeconds: undefined }, { notModified: 0 });
      } else {
        deferAnswer(response);
        answer(request, response).catch((error: unknown) => fail(response, error, logger));
      }
    },
  };
}

function publishedDocument(document: object): PublicDocument {
  const bytes = Buffer.from(JSON.stringify(document));
  const digest = createHash("sha256").update(bytes).digest("base64url").slice(0, 22);
  return new PublicDocument(`W/"${digest}"`, bytes, DOCUMENT_CACHE_CONTROL);
}

async function sendPage(response: ServerResponse, page: string, { auth }: ApiSite): Promise<void> {
  const origins = new Set(auth === undefined ? [] : [auth.publicBaseUrl, auth.authUrl]);
  response.writeHead(200, {
    "Content-Type": "text/html; charset=utf-8",
    "Cache-Control": "no-cache",
    "Content-Security-Policy": [
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      // Swagger UI's icons are in its stylesheet.
      "img-src 'self' data:",
      `connect-src ${["'self'", ...origins].join(" ")}`,
      "form-action 'none'",
      "frame-ancestors 'none'",
      "base-uri 'none'",
    ].join("; "),
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
  });
  response.end(page);
}

async function sendFile(request: IncomingMessage, response: ServerResponse, file: ViewerFile): Promise<void> {
  const isGzip = acceptsGzip(request.headers["accept-encoding"]);
  const bytes = isGzip ? file.gzipped : await file.plain();
  response.writeHead(200, {
    "Content-Type": file.mediaType,
    "Content-Length": bytes.length,
    ...(isGzip && { "Content-Encoding": "gzip" }),
    "Cache-Control": IMMUTABLE,
    Vary: "Accept-Encoding",
    "Content-Security-Policy": "default-src 'none'",
    "X-Content-Type-Options": "nosniff",
  });
  response.end(bytes);
}

function fail(response: ServerResponse, error: unknown, logger: Logger): void {
  const errorId = randomUUID();
  logger.error({ err: error, errorId }, "API page failed");
  if (response.headersSent) response.destroy();
  else sendError(response, internalError(errorId));
}
