import { Hono } from "hono";
import type { AuthApp, AuthEnv } from "../../web/http/hono-context.ts";
import { answerPageError, refuseMethod } from "../../web/pages/page-answers.ts";
import { type ExportParts, exportCommitments } from "./export-commitments.ts";
import { EXPORT_ROUTE } from "./export-paths.ts";

/** What members of a sale take away from its dashboard. */
export function exportApp(parts: ExportParts): AuthApp {
  const app = new Hono<AuthEnv>();
  app.onError((error, c) => answerPageError(c, error, parts));
  app.get(EXPORT_ROUTE, (c) => exportCommitments(c, parts));
  app.all(EXPORT_ROUTE, (c) => refuseMethod(c, ["GET"]));
  return app;
}
