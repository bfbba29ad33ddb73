import { Hono, type MiddlewareHandler } from "hono";
import type { AuthContext, AuthEnv } from "../http/hono-context.ts";
import type { HonoRoute } from "../http/hono-routes.ts";
import type { AuthDependencies } from "../sessions/auth-dependencies.ts";
import { withPageLanguage } from "../texts/page-language.ts";
import { requestLanguage } from "../texts/request-language.ts";
import { switchLanguage } from "./language-answer.ts";
import { answerPageError, type ErrorFrame, refuseMethod, refusePath, unstored } from "./page-answers.ts";
import type { PageLink } from "./page-error.ts";

/** Answers a request of a page, or a form on it. */
export type PageHandler<Dependencies> = (c: AuthContext, dependencies: Dependencies) => Response | Promise<Response>;

/** The handlers of a page and of the forms on it, by method. */
export type PageHandlers<Dependencies> = Readonly<Partial<Record<"GET" | "POST", PageHandler<Dependencies>>>>;

/** A page about an error that stands alone, in a card. */
const inCard: ErrorFrame = (page) => page;

/**
 * Returns the route of a page: it is never stored, and errors and wrong methods are answered as pages.
 *
 * @param frame puts those pages among the others of the surface; in a card by default
 */
export function pageRoute<Dependencies extends AuthDependencies>(
  dependencies: Dependencies,
  handlers: PageHandlers<Dependencies>,
  frame = inCard,
): HonoRoute {
  return routeOf(dependencies, handlers, [unstored], frame);
}

/**
 * Returns the route of a file to download; it sets the headers of its answer itself, and errors are answered as
 * pages, as those of `pageRoute`.
 */
export function downloadRoute<Dependencies extends AuthDependencies>(
  dependencies: Dependencies,
  handlers: PageHandlers<Dependencies>,
  frame = inCard,
): HonoRoute {
  return routeOf(dependencies, handlers, [], frame);
}

const inLanguage: MiddlewareHandler<AuthEnv> = (c, next) => withPageLanguage(requestLanguage(c.env.incoming), next);

export interface MissingPageOptions {
  /** Name of the requests in metrics. */
  readonly label: string;
  /** Where the user can go on. */
  readonly link: PageLink;
  /** Whether cookies are for https alone. */
  readonly isSecure: boolean;
  /** The frame that `pageRoute` takes; a card by default. */
  readonly frame?: ErrorFrame | undefined;
}

/** Returns the route of all paths below a page that no other route has: it answers 404 with a page. */
export function missingPageRoute({ label, link, isSecure, frame = inCard }: MissingPageOptions): HonoRoute {
  return {
    label,
    isFallback: true,
    register(app, path) {
      app.use(path, inLanguage, unstored);
      app.get(path, switchLanguage(isSecure));
      app.all(path, (c) => refusePath(c, link, frame));
    },
  };
}

function routeOf<Dependencies extends AuthDependencies>(
  dependencies: Dependencies,
  handlers: PageHandlers<Dependencies>,
  middleware: readonly MiddlewareHandler<AuthEnv>[],
  frame: ErrorFrame,
): HonoRoute {
  return {
    register(parent, path) {
      const app = new Hono<AuthEnv>();
      app.onError((error, c) => answerPageError(c, error, dependencies, frame));
      app.use(path, inLanguage);
      for (const handle of middleware) app.use(path, handle);
      app.get(path, switchLanguage(dependencies.config.authUrl.startsWith("https:")));
      for (const [method, handle] of Object.entries(handlers)) app.on(method, path, (c) => handle(c, dependencies));
      app.all(path, (c) => refuseMethod(c, Object.keys(handlers), frame));
      parent.route("/", app);
    },
  };
}
