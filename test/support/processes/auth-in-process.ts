import { CallFaults } from "../../../common/platform/rpc/testing/call-faults.ts";
import { routerTransport } from "../../../common/platform/rpc/testing/router-transport.ts";
import { FakeClock } from "../../../common/platform/testing/fake-clock.ts";
import type { SampleLogo } from "../../../gateway/testing/sample-logos.ts";
import { findOrCreateAccount } from "../../../services/auth/accounts/accounts-store.ts";
import { ALLOWED_CALLERS } from "../../../services/auth/allowed-callers.ts";
import type { Client } from "../../../services/auth/applications/application.ts";
import { storeLogo } from "../../../services/auth/applications/logos-store.ts";
import type { AuthenticationMethod } from "../../../services/auth/base/authentication-method.ts";
import { newOpaqueToken } from "../../../services/auth/base/opaque-token.ts";
import { authRoutes } from "../../../services/auth/routes.ts";
import { startSession } from "../../../services/auth/sessions/sessions-store.ts";
import { Application, seedClient } from "../../../services/auth/testing/application.ts";
import { FakeSales } from "../../../services/auth/testing/fake-sales.ts";
import { openMigrated } from "../../../services/auth/testing/memory-database.ts";
import { type PasskeyClient, passkeyClient } from "../../../services/auth/testing/passkey-client.ts";
import { sampleClient } from "../../../services/auth/testing/sample-application.ts";
import { SoftwareAuthenticator } from "../../../services/auth/testing/software-authenticator.ts";
import { testAuthConfig } from "../../../services/auth/testing/test-auth-config.ts";
import { type AuthClients, authClients } from "./auth-clients.ts";

/** Who signs in unless a test says otherwise. */
export const USER = "alice@example.org";

export interface SignInOptions {
  readonly email?: string;
  /** The time since the sign-in, 0 by default. */
  readonly ageMs?: number;
  /** A mailed code by default. */
  readonly by?: AuthenticationMethod;
  readonly userAgent?: string;
}

/**
 * The auth service in this process, on a database in memory, with a clock that the test moves and mails that it reads. The clients
 * are the gateway's, with `faults` between.
 */
export class AuthInProcess {
  readonly clients: AuthClients;
  readonly faults = new CallFaults();
  readonly sales: FakeSales;
  readonly time: FakeClock;
  /** A browser with an authenticator, whose calls no fault touches. */
  readonly people: PasskeyClient;

  private constructor(people: PasskeyClient, sales: FakeSales, time: FakeClock) {
    this.people = people;
    this.sales = sales;
    this.time = time;
    this.clients = this.as("gateway", this.faults);
  }

  /** Starts the service without applications. The clock stands at the present time. @param issuer `AUTH_URL` */
  static async start(issuer: string): Promise<AuthInProcess> {
    const [sales, time] = [new FakeSales(), new FakeClock(BigInt(Date.now()))];
    const database = await openMigrated();
    const config = testAuthConfig({ AUTH_URL: issuer });
    const authenticator = new SoftwareAuthenticator({ origin: issuer });
    const people = await passkeyClient({ config, database, sales, clock: time.now }, authenticator);
    return new AuthInProcess(people, sales, time);
  }

  /** RPC clients of a service. */
  as(caller: string, faults?: CallFaults): AuthClients {
    const { context, metrics } = this.people;
    const interceptors = faults === undefined ? [] : [faults.interceptor];
    const routes = authRoutes(context, metrics);
    const actors = context.actorTokens;
    return authClients(routerTransport({ routes, allowed: ALLOWED_CALLERS, caller, actors, interceptors }));
  }

  /** The code in the last mail, whoever got it. */
  mailedCode(): string {
    return this.people.outbox.lastCode();
  }

  /**
   * Starts a session without its ceremony, as no address gets more than a few codes an hour.
   *
   * @returns its token
   */
  async signIn({ email = USER, ageMs = 0, by = "code", userAgent = "" }: SignInOptions = {}): Promise<string> {
    const { database, clock } = this.people.context;
    const [token, atMs] = [newOpaqueToken(), clock() - BigInt(ageMs)];
    await database.write(async (transaction) => {
      const account = await findOrCreateAccount(transaction, database.dialect, email, atMs);
      await startSession(transaction, { token, account, userAgent, authenticatedBy: by }, atMs);
    });
    return token;
  }

  /** Adds a passkey to an account. */
  async addPasskey(name = "Laptop", email = USER): Promise<void> {
    await this.people.add(await this.signIn({ email, by: "passkey" }), {}, name);
  }

  /** Stores an application with its sale, without the checks that a founder's would meet. */
  async application(change: Partial<Client> = {}, logos: readonly SampleLogo[] = []): Promise<Application> {
    const { database } = this.people.context;
    const client = sampleClient(change);
    await database.write(async (transaction) => {
      for (const { image } of logos) {
        await storeLogo(transaction, database.dialect, { mediaType: "image/png", bytes: image });
      }
    });
    await seedClient(database, client);
    return new Application(this.as("gateway").authorization, client, this.as("resource-server").authorization);
  }

  async stop(): Promise<void> {
    await this.people.context.database.close();
  }
}
