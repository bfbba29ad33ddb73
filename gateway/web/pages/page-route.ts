import { Hono, type MiddlewareHandler } from "hono";
import type { AuthContext, AuthEnv } from "../http/hono-context.ts";
import type { HonoRoute } from "../http/hono-routes.ts";
import type { AuthDependencies } from "../sessions/auth-dependencies.ts";
import { withPageLanguage } from "../texts/page-language.ts";
import { requestLanguage } from "../texts/request-language.ts";
import { switchLanguage } from "./language-answer.ts";
import { answerPageError, refuseMethod, refusePath, unstored } from "./page-answers.ts";
import type { PageLink } from "./page-error.ts";

/** Answers a request of a page, or a form on it. */
export type PageHandler<Dependencies> = (c: AuthContext, dependencies: Dependencies) => Response | Promise<Response>;

/** The handlers of a page and of the forms on it, by method. */
export type PageHandlers<Dependencies> = Readonly<Partial<Record<"GET" | "POST", PageHandler<Dependencies>>>>;

/** Returns the route of a page: it is never stored, and errors and wrong methods are answered as pages. */
export function pageRoute<Dependencies extends AuthDependencies>(
  dependencies: Dependencies,
  handlers: PageHandlers<Dependencies>,
): HonoRoute {
  return routeOf(dependencies, handlers, [unstored]);
}

/**
 * Returns the route of a file to download; it sets the headers of its answer itself, and errors are answered as
 * pages.
 */
export function downloadRoute<Dependencies extends AuthDependencies>(
  dependencies: Dependencies,
  handlers: PageHandlers<Dependencies>,
): HonoRoute {
  return routeOf(dependencies, handlers, []);
}

/**
 * Returns the route of all paths below a page that no other route has: it answers 404 with a page.
 *
 * @param label name of the requests in metrics
 * @param link where the user can go on
 */
export function missingPageRoute(label: string, link: PageLink): HonoRoute {
  return {
    label,
    isFallback: true,
    register: (app, path) => void app.all(path, unstored, (c) => refusePath(c, link)),
  };
}

function routeOf<Dependencies extends AuthDependencies>(
  dependencies: Dependencies,
  handlers: PageHandlers<Dependencies>,
  middleware: readonly MiddlewareHandler<AuthEnv>[],
): HonoRoute {
  return {
    register(parent, path) {
      const app = new Hono<AuthEnv>();
      app.onError((error, c) => answerPageError(c, error, dependencies));
      app.use(path, (c, next) => withPageLanguage(requestLanguage(c.env.incoming), next));
      for (const handle of middleware) app.use(path, handle);
      app.get(path, switchLanguage(dependencies.config.authUrl.startsWith("https:")));
      for (const [method, handle] of Object.entries(handlers)) app.on(method, path, (c) => handle(c, dependencies));
      app.all(path, (c) => refuseMethod(c, Object.keys(handlers)));
      parent.route("/", app);
    },
  };
}
