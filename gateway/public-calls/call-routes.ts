import { Hono, type MiddlewareHandler } from "hono";
import type { AuthContext, AuthEnv } from "../web/http/hono-context.ts";
import type { HonoRoute } from "../web/http/hono-routes.ts";
import { preflight } from "../web/sessions/cross-origin.ts";
import type { CallDependencies } from "./call.ts";
import { CallError } from "./call-error.ts";
import { OPERATIONS, type Operation, pathsOf } from "./operations.ts";
import { answerCallError } from "./rpc-call-error.ts";

/**
 * Returns the routes of all operations by path. Answers are never stored, and pages of registered origins may read them,
 * errors included.
 *
 * @param cors `registeredOrigins` of the gateway
 * @param prefix first segment of the public paths
 */
export function callRoutes(
  cors: MiddlewareHandler<AuthEnv>,
  dependencies: CallDependencies,
  prefix: string,
): [path: string, route: HonoRoute][] {
  const routeOf = ({ handle }: Operation): HonoRoute => ({
    register(parent, path) {
      const app = new Hono<AuthEnv>();
      app.onError((error, c) => answerCallError(c, error, dependencies.logger));
      app.use(path, cors, neverStored);
      app.options(path, (c) => preflight(c, "POST"));
      app.post(path, async (c) => c.json(await handle(c, dependencies)));
      app.all(path, refuseMethod);
      parent.route("/", app);
    },
  });
  return OPERATIONS.flatMap((operation) =>
    pathsOf(operation, prefix).map((path): [string, HonoRoute] => [path, routeOf(operation)]),
  );
}

async function neverStored(c: AuthContext, next: () => Promise<void>): Promise<void> {
  c.header("Cache-Control", "no-store");
  c.header("X-Content-Type-Options", "nosniff");
  await next();
}

function refuseMethod(): never {
  const headers = { Allow: "POST, OPTIONS" };
  throw new CallError("unimplemented", "This path answers POST, OPTIONS only.", { status: 405, headers });
}
