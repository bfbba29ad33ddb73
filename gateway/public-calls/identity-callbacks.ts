import type { CallOptions } from "@connectrpc/connect";
import { Hono } from "hono";
import type { Violation } from "../../common/platform/errors/service-error.ts";
import { rateLimitAddress } from "../../common/platform/outbound/rate-limit-address.ts";
import { toServiceError } from "../../common/platform/rpc/errors.ts";
import { AddressLimits } from "../web/http/address-limits.ts";
import type { AuthContext, AuthEnv } from "../web/http/hono-context.ts";
import type { HonoRoute } from "../web/http/hono-routes.ts";
import { bodyLengthProblem } from "../web/http/json-body.ts";
import { MinuteLimit } from "../web/http/minute-limit.ts";
import { ownText } from "../web/http/own-text.ts";
import { boundedBody } from "../web/http/request-body.ts";
import { IDENTITY_CALLBACK_MS } from "../web/lifetimes.ts";
import type { AuthDependencies } from "../web/sessions/auth-dependencies.ts";
import type { EntitiesUpstream } from "../web/sessions/entities-upstream.ts";
import { unauthorized } from "./access-token.ts";
import { CallError, invalidFields } from "./call-error.ts";
import { answerCallError } from "./rpc-call-error.ts";

export interface IdentityCallbackDependencies extends Pick<AuthDependencies, "config" | "logger" | "now"> {
  readonly entitiesUpstream: { readonly entities: Pick<EntitiesUpstream["entities"], "reportSetup"> };
}

/** Largest body of a callback, by the RPC's contract. */
export const MAX_CALLBACK_BYTES = 256 * 1024;
/** Callbacks under way at once, in all and from one address: 16 MiB of bodies at most. */
const MAX_CALLBACKS = 64;
const MAX_CALLBACKS_PER_ADDRESS = 16;
/** Callbacks of an address in a minute. A check makes a handful, so this is hundreds of checks a minute. */
const MAX_CALLBACKS_PER_MINUTE = 3_000;
/** Callbacks of an address in a minute whose signature is wrong. Each costs digests of its whole body; a vendor sends none. */
const MAX_UNSIGNED_PER_MINUTE = 60;

/** The headers that are passed on, by the field of the RPC: those that a signature may be in. */
const HEADERS = {
  webhookId: "webhook-id",
  webhookTimestamp: "webhook-timestamp",
  webhookSignature: "webhook-signature",
  personaSignature: "persona-signature",
} as const;

/** Returns the path to which the vendor of identity checks sends callbacks. @param prefix first segment of the public paths */
export function identityCallbackPath(prefix: string): string {
  return `/${prefix}/v1/identity-callbacks`;
}

/**
 * Returns the route that passes callbacks of the vendor of identity checks on to the entities service, which checks their signatures.
 * No page may call it: without CORS, none can read an answer.
 */
export function identityCallbackRoute(dependencies: IdentityCallbackDependencies): HonoRoute {
  const limits = new AddressLimits({
    max: MAX_CALLBACKS,
    maxPerAddress: MAX_CALLBACKS_PER_ADDRESS,
    full: tooMany,
    addressFull: tooMany,
  });
  const rate = new MinuteLimit({ max: MAX_CALLBACKS_PER_MINUTE, now: dependencies.now });
  const unsigned = new MinuteLimit({ max: MAX_UNSIGNED_PER_MINUTE, now: dependencies.now });
  return {
    register(parent, path) {
      const app = new Hono<AuthEnv>();
      app.onError((error, c) => answerCallError(c, error, dependencies.logger));
      app.use(path, neverStored);
      app.post(path, async (c) => {
        const address = dependencies.config.trustedProxies.addressOf(c.env.incoming);
        const network = ownText(rateLimitAddress(address));
        if (unsigned.isSpent(network) || !rate.take(network)) throw tooMany();
        const leave = limits.enter(address);
        try {
          await passOn(c, dependencies);
        } catch (error) {
          if (error instanceof CallError && error.code === "unauthenticated") unsigned.take(network);
          throw error;
        } finally {
          leave();
        }
        return c.body(null, 204);
      });
      app.all(path, refuseMethod);
      parent.route("/", app);
    },
  };
}

async function passOn(c: AuthContext, { entitiesUpstream }: IdentityCallbackDependencies): Promise<void> {
  if ((c.req.header("content-encoding") ?? "identity").toLowerCase() !== "identity") {
    throw new CallError("invalid_argument", "The body must not be compressed.", { status: 415 });
  }
  const body = await boundedBody(c, MAX_CALLBACK_BYTES);
  if (body === undefined) {
    throw new CallError("invalid_argument", bodyLengthProblem(MAX_CALLBACK_BYTES), { status: 413 });
  }
  const headers = Object.entries(HEADERS).map(([field, name]) => [field, c.req.header(name) ?? ""]);
  const options: CallOptions = { timeoutMs: IDENTITY_CALLBACK_MS };
  try {
    await entitiesUpstream.entities.reportSetup(
      { ...Object.fromEntries(headers), body: Uint8Array.from(body) },
      options,
    );
  } catch (error) {
    throw callbackRefusal(error) ?? error;
  }
}

/** Returns the public error for a refusal of the callback itself; undefined for any other. */
function callbackRefusal(error: unknown): CallError | undefined {
  const refusal = toServiceError(error);
  const { code, violations = [] } = refusal ?? {};
  if (code === "invalid_argument") return invalidFields(violations.map(withPublicName));
  const isUnsigned = code === "unauthenticated" && violations.some(({ field }) => field === "signature");
  if (isUnsigned) return unauthorized("The signature of the callback is wrong, or its time.", "Signature");
  return code === "not_found" ? new CallError(code, "This deployment takes no callbacks.") : undefined;
}

/** Names a header as it was sent; fields of the body have their own names. */
function withPublicName({ field, ...violation }: Violation): Violation {
  const header = Object.values(HEADERS).find((name) => name.replaceAll("-", "_") === field);
  return { field: header ?? field, ...violation };
}

function tooMany(): CallError {
  return new CallError("resource_exhausted", "There are too many requests.", { headers: { "Retry-After": "1" } });
}

function refuseMethod(): never {
  throw new CallError("unimplemented", "This path answers POST only.", { status: 405, headers: { Allow: "POST" } });
}

async function neverStored(c: AuthContext, next: () => Promise<void>): Promise<void> {
  c.header("Cache-Control", "no-store");
  c.header("X-Content-Type-Options", "nosniff");
  await next();
}
