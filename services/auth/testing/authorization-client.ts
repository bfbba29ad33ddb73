import { createClient, createRouterTransport, type Client as RpcClient } from "@connectrpc/connect";
import { Registry } from "prom-client";
import { createErrorInterceptor } from "../../../common/platform/rpc/error-interceptor.ts";
import { AuthorizationService } from "../../../proto/gen/tidemark/auth/v1/authorization_service_pb.ts";
import { findOrCreateAccount } from "../accounts/accounts-store.ts";
import type { Client } from "../applications/application.ts";
import { type AuthMetrics, createAuthMetrics } from "../base/auth-metrics.ts";
import type { AuthenticationMethod } from "../base/authentication-method.ts";
import { newOpaqueToken } from "../base/opaque-token.ts";
import { authRoutes } from "../routes.ts";
import { startSession } from "../sessions/sessions-store.ts";
import type { WiredContext } from "../wired-context.ts";
import { Application, seedClient } from "./application.ts";
import { authContext, type TestContext } from "./auth-context.ts";
import { sampleClient } from "./sample-application.ts";

export interface AuthorizationClient {
  readonly authorization: RpcClient<typeof AuthorizationService>;
  readonly context: TestContext;
  readonly metrics: AuthMetrics;
  /** An application whose client is stored. */
  application(change?: Partial<Client>): Promise<Application>;
  /** Signs a user in, by a code unless said otherwise. @returns the session's token. */
  signIn(email?: string, authenticatedBy?: AuthenticationMethod): Promise<string>;
}

/** The RPCs of an authorization, without a network. @param given as for `authContext` */
export async function authorizationClient(given: Partial<WiredContext> = {}): Promise<AuthorizationClient> {
  const context = await authContext(given);
  const { database, clock } = context;
  const metrics = createAuthMetrics(new Registry());
  const transport = createRouterTransport(authRoutes(context, metrics), {
    router: { interceptors: [createErrorInterceptor(context.logger)] },
  });
  const authorization = createClient(AuthorizationService, transport);
  return {
    authorization,
    context,
    metrics,
    async application(change) {
      const client = sampleClient(change);
      await seedClient(database, client);
      return new Application(authorization, client);
    },
    async signIn(email = "user@example.com", authenticatedBy = "code") {
      const token = newOpaqueToken();
      await database.write(async (transaction) => {
        const account = await findOrCreateAccount(transaction, database.dialect, email, clock());
        await startSession(transaction, { token, account, userAgent: "test", authenticatedBy }, clock());
      });
      return token;
    },
  };
}

/** An application, and the session of a user who has signed in by a code. */
export interface SignedInUser {
  readonly auth: AuthorizationClient;
  readonly application: Application;
  readonly session: string;
}

/** The same RPCs with an application and a user. */
export async function signedInUser(): Promise<SignedInUser> {
  const auth = await authorizationClient();
  return { auth, application: await auth.application(), session: await auth.signIn() };
}
