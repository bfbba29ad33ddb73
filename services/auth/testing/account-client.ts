import { randomBytes } from "node:crypto";
import { type Client, createClient, createRouterTransport } from "@connectrpc/connect";
import { Registry } from "prom-client";
import type { ServiceError } from "../../../common/platform/errors/service-error.ts";
import { createErrorInterceptor } from "../../../common/platform/rpc/error-interceptor.ts";
import { toServiceError } from "../../../common/platform/rpc/errors.ts";
import { AccountService, CodeResult } from "../../../proto/gen/tidemark/auth/v1/account_service_pb.ts";
import { type AuthMetrics, createAuthMetrics } from "../base/auth-metrics.ts";
import { authRoutes } from "../routes.ts";
import { authContext, type GivenContext, type TestContext } from "./auth-context.ts";
import { MailOutbox } from "./mail-outbox.ts";

export const PEER = { address: "192.0.2.7", userAgent: "Mozilla/5.0 (Windows NT 10.0) Gecko/20100101 Firefox/140.0" };

export interface AccountClient {
  readonly accounts: Client<typeof AccountService>;
  readonly outbox: MailOutbox;
  readonly context: TestContext;
  readonly metrics: AuthMetrics;
  /** Signs in by a code from the outbox. @returns the session's token. */
  signIn(email: string, previousSessionToken?: string): Promise<string>;
}

/** The RPCs about accounts, without a network. @param given as for `authContext` */
export async function accountClient(given: GivenContext = {}): Promise<AccountClient> {
  const outbox = new MailOutbox();
  const context = await authContext({ mailer: outbox, ...given });
  const metrics = createAuthMetrics(new Registry());
  const transport = createRouterTransport(authRoutes(context, metrics), {
    router: { interceptors: [createErrorInterceptor(context.logger)] },
  });
  const accounts = createClient(AccountService, transport);
  return {
    accounts,
    outbox,
    context,
    metrics,
    async signIn(email, previousSessionToken = "") {
      const browserToken = newBrowserToken();
      const { signInHandle } = await accounts.beginSignIn({ email, browserToken, peer: PEER });
      const entry = { signInHandle, browserToken, code: outbox.lastCode(), previousSessionToken, peer: PEER };
      const { result, sessionToken } = await accounts.completeSignIn(entry);
      if (result !== CodeResult.CORRECT) throw new Error(`the code was not right: result ${result}`);
      return sessionToken;
    },
  };
}

export function newBrowserToken(): string {
  return randomBytes(32).toString("base64url");
}

/** The error of a call. @throws if it succeeds. */
export async function failureOf(call: Promise<unknown>): Promise<ServiceError> {
  const outcome = await call.then(
    () => undefined,
    (error: unknown) => toServiceError(error),
  );
  if (outcome === undefined) throw new Error("the call did not fail with a service error");
  return outcome;
}
