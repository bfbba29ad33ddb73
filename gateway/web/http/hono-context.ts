import type { HttpBindings } from "@hono/node-server";
import type { Context, Hono } from "hono";

/** Environment of the Hono handlers of sign-in, OAuth and account: the request and response of `node:http`. */
export type AuthEnv = { readonly Bindings: HttpBindings };
export type AuthContext = Context<AuthEnv>;
export type AuthApp = Hono<AuthEnv>;
