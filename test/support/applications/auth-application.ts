import { randomBytes, randomUUID } from "node:crypto";
import type { Client } from "../../../services/auth/applications/application.ts";
import { Application, seedClient } from "../../../services/auth/testing/application.ts";
import { sampleClient } from "../../../services/auth/testing/sample-application.ts";
import type { AuthFixture, SignedIn } from "../processes/auth-fixture.ts";

export interface UserOfApplication {
  readonly application: Application;
  readonly session: SignedIn;
  readonly email: string;
}

/** A client in its own sale, with a user who has signed in. */
export async function userOfApplication(
  service: AuthFixture,
  change: Partial<Client> = {},
): Promise<UserOfApplication> {
  const email = `${randomBytes(6).toString("hex")}@example.com`;
  const application = await newApplication(service, change);
  return { application, session: await service.signIn(email), email };
}

/** Creates a client in its own sale. */
export async function newApplication(service: AuthFixture, change: Partial<Client> = {}): Promise<Application> {
  const client = sampleClient({ uuid: randomUUID(), saleUuid: randomUUID(), ...change });
  await seedClient(service.database, client);
  return new Application(service.as("gateway").authorization, client, service.as("resource-server").authorization);
}
