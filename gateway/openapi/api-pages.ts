import { createHash, randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Logger } from "../../common/platform/log/log.ts";
import { acceptsGzip } from "../web/http/content-negotiation.ts";
import { deferAnswer } from "../web/http/deferred-answer.ts";
import type { RouteHandler } from "../web/http/dispatch.ts";
import { refuseEarly } from "../web/http/early-refusal.ts";
import { PublicDocument } from "../web/http/public-document.ts";
import { internalError, PublicError, sendError } from "../web/http/public-error.ts";
import { sendDocument } from "../web/http/send-document.ts";
import { docsPage } from "./docs-page.ts";
import type { ApiSite } from "./openapi-document.ts";
import type { Json } from "./schema-parts.ts";
import { readViewerFiles, VIEWER_PREFIX, type ViewerFile, type ViewerFiles } from "./viewer-files.ts";

export interface ApiPagesOptions extends ApiSite {
  readonly logger: Logger;
}

const NOT_FOUND = new PublicError("not_found", "There is nothing at this path.");
const WRONG_METHOD = new PublicError("unimplemented", "This path answers GET, HEAD only.", {
  headers: ["Allow", "GET, HEAD"],
});
const DOCUMENT_CACHE_CONTROL = "public, max-age=300";
const IMMUTABLE = "public, max-age=31536000, immutable";

/** The OpenAPI document and the page to read it, for the host that serves the public read. */
export interface ApiPages {
  /** Answers `GET /openapi.json`. */
  readonly document: RouteHandler;
  /** `GET /docs`. */
  readonly page: RouteHandler;
  /** A file that the page loads, by its path below `/docs/`. */
  readonly file: RouteHandler;
}

interface MadeDocument {
  readonly document: Json;
  readonly published: PublicDocument;
}

export function createApiPages({ logger, ...site }: ApiPagesOptions): ApiPages {
  // All is loaded when the first reader comes: most processes never have one.
  let reading: Promise<ViewerFiles> | undefined;
  const viewerFiles = (): Promise<ViewerFiles> => {
    reading ??= readViewerFiles().catch((error: unknown) => {
      reading = undefined;
      throw error;
    });
    return reading;
  };
  let made: MadeDocument | undefined;
  const readDocument = async (): Promise<MadeDocument> => {
    const { openApiDocument } = await import("./openapi-document.ts");
    made ??= publishedDocument(openApiDocument(site));
    return made;
  };
  const answerLater = (response: ServerResponse, answer: () => Promise<void>): void => {
    deferAnswer(response);
    answer().catch((error: unknown) => fail(response, error, logger));
  };
  return {
    document: (request, response) => {
      answerLater(response, async () => {
        const { published: representation } = await readDocument();
        sendDocument(request, response, { representation, ageSeconds: undefined }, { notModified: 0 });
      });
    },
    page: readOnly((_, response) => {
      answerLater(response, async () => {
        const { document } = await readDocument();
        const page = docsPage(document, await viewerFiles(), site.auth !== undefined);
        await sendPage(response, `${page}`, site);
      });
    }),
    file: readOnly((request, response, path) => {
      answerLater(response, async () => {
        const file = (await viewerFiles()).byPath.get(VIEWER_PREFIX + path);
        if (file === undefined) sendError(response, NOT_FOUND);
        else await sendFile(request, response, file);
      });
    }),
  };
}

/** Returns the handler for `GET` and `HEAD`, with 405 for any other method. */
function readOnly(handler: RouteHandler): RouteHandler {
  return (request, response, parameter, route) => {
    if (request.method === "GET" || request.method === "HEAD") handler(request, response, parameter, route);
    else refuseEarly(request, response, WRONG_METHOD);
  };
}

function publishedDocument(document: Json): MadeDocument {
  const bytes = Buffer.from(JSON.stringify(document));
  const digest = createHash("sha256").update(bytes).digest("base64url").slice(0, 22);
  return { document, published: new PublicDocument(`W/"${digest}"`, bytes, DOCUMENT_CACHE_CONTROL) };
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
  const bytes = isGzip ? file.gzipped : await file.uncompressed();
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
