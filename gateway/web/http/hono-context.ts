import type { HttpBindings } from "@hono/node-server";
import type { Context, Hono } from "hono";

/** What Hono's handlers of sign-in, OAuth and account get with a request. */
export type AuthEnv = { readonly Bindings: HttpBindings };
export type AuthContext = Context<AuthEnv>;
export type AuthApp = Hono<AuthEnv>;
