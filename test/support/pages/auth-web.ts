import { randomUUID } from "node:crypto";
import { Registry } from "prom-client";
import { describe } from "vitest";
import { Env } from "../../../common/platform/config/env.ts";
import { Lifecycle } from "../../../common/platform/lifecycle/lifecycle.ts";
import { captureLog } from "../../../common/platform/testing/log-capture.ts";
import { startGateway } from "../../../gateway/composition.ts";
import { gatewayConfig } from "../../../gateway/config.ts";
import { openGatewayPort } from "../../../gateway/testing/gateway-parts.ts";
import { PageBrowser } from "../../../gateway/testing/page-browser.ts";
import { authSurfaceConfig } from "../../../gateway/web/sessions/auth-config.ts";
import type { Client } from "../../../services/auth/applications/application.ts";
import { newToken, seedClient } from "../../../services/auth/testing/application.ts";
import { codeIn } from "../../../services/auth/testing/mail-outbox.ts";
import { sampleClient } from "../../../services/auth/testing/sample-application.ts";
import { WebApplication } from "../applications/web-application.ts";
import { databases, type TestDatabase } from "../databases/databases.ts";
import { type AuthFixture, codeMail, ISSUER, type SignedIn, startAuth } from "../processes/auth-fixture.ts";
import { describeService, serviceOf } from "../processes/describe-service.ts";

export const SESSION_COOKIE = "__Host-tidemark-session";
export const KNOWN_COOKIE = "__Host-tidemark-known";
export const RECOVERY_COOKIE = "__Host-tidemark-recovery";
export const BROWSER_COOKIE = "__Host-tidemark-browser";

/** A person who has signed in, with the browser that has the session. */
export interface WebUser extends SignedIn {
  readonly browser: PageBrowser;
  readonly email: string;
}

/** The auth service behind a real gateway, which browsers and applications call by HTTP. */
export interface AuthWeb {
  readonly service: AuthFixture;
  /** The origin on which the gateway listens; the issuer is `ISSUER`. */
  readonly origin: string;
  /** The log lines of the gateway. */
  readonly log: readonly Record<string, unknown>[];
  browser(): PageBrowser;
  /** A browser with a session. */
  user(email?: string): Promise<WebUser>;
  /** Returns the code in the last mail to an address. */
  mailedCode(email: string): Promise<string>;
  /** Creates an application in its own sale. */
  application(change?: Partial<Client>): Promise<WebApplication>;
  stop(): Promise<void>;
}

async function startAuthWeb(testDatabase: TestDatabase): Promise<AuthWeb> {
  const service = await startAuth(testDatabase);
  const { logger, lines } = captureLog();
  const lifecycle = new Lifecycle({ logger });
  const env = new Env({ GATEWAY_PORT: "0", AUTH_URL: ISSUER });
  const config = gatewayConfig(env);
  const { server, counters } = await openGatewayPort(config);
  const { port } = server;
  startGateway({
    config,
    server,
    counters,
    commitments: service.commitments.as("gateway").commitments,
    auth: { config: authSurfaceConfig(env), clients: service.as("gateway") },
    lifecycle,
    registry: new Registry(),
    logger,
  });
  const origin = `http://127.0.0.1:${port}`;
  const browser = () => new PageBrowser(origin);
  return {
    service,
    origin,
    log: lines,
    browser,
    user: async (email = newEmail()) => {
      const session = await service.signIn(email);
      const own = browser();
      own.cookies.set(SESSION_COOKIE, session.sessionToken).set(BROWSER_COOKIE, newToken());
      return { ...session, email, browser: own };
    },
    mailedCode: async (email) => codeIn(codeMail(await service.mails(), email)),
    application: async (change = {}) => {
      const client = sampleClient({ uuid: randomUUID(), saleUuid: randomUUID(), ...change });
      await seedClient(service.database, client);
      return new WebApplication(origin, client);
    },
    stop: async () => {
      await lifecycle.stop();
      await service.stop();
    },
  };
}

/** Declares tests that don't depend on the kind of database. They run once. */
export function describeAuthWeb(title: string, tests: (web: () => AuthWeb) => void): void {
  const [variant] = databases();
  if (variant === undefined) throw new Error("there is no database");
  describe(title, () => tests(serviceOf(variant.create, startAuthWeb)));
}

/** Declares tests for each kind of database. */
export function describeAuthWebOnEachDatabase(title: string, tests: (web: () => AuthWeb) => void): void {
  describeService(title, startAuthWeb, tests);
}

export function newEmail(): string {
  return `${randomUUID()}@example.com`;
}
