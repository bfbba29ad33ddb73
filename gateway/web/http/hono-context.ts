import type { HttpBindings } from "@hono/node-server";
import type { Context, Hono } from "hono";
import type { html } from "hono/html";

/**
 * Environment of the Hono handlers of sign-in, OAuth, account and dashboard: the request and response of `node:http`, and what handlers have
 * found out about the request.
 */
export type AuthEnv = {
  readonly Bindings: HttpBindings;
  Variables: {
    /** Links to the other pages of the object that the request's page is about, beside its content. */
    menu?: ReturnType<typeof html>;
    /** Returns how far that object is. Only a page that is really shown asks for it. */
    progress?: () => ReturnType<typeof html>;
  };
};
export type AuthContext = Context<AuthEnv>;
export type AuthApp = Hono<AuthEnv>;
