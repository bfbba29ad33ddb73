import { randomUUID } from "node:crypto";
import { type Client, createClient } from "@connectrpc/connect";
import { Registry } from "prom-client";
import { toServiceError } from "../../../common/platform/rpc/errors.ts";
import { routerTransport } from "../../../common/platform/rpc/testing/router-transport.ts";
import { ClientService } from "../../../proto/gen/tidemark/auth/v1/client_service_pb.ts";
import { MembershipService, Role } from "../../../proto/gen/tidemark/auth/v1/membership_service_pb.ts";
import { findOrCreateAccount } from "../accounts/accounts-store.ts";
import { ALLOWED_CALLERS } from "../allowed-callers.ts";
import { createAuthMetrics } from "../base/auth-metrics.ts";
import type { Mail } from "../base/mailer.ts";
import { authRoutes } from "../routes.ts";
import type { WiredContext } from "../wired-context.ts";
import { authContext, type TestContext } from "./auth-context.ts";
import { type FakeSale, FakeSales } from "./fake-sales.ts";

/** RPC clients of one caller, with or without a person. */
export interface FounderCalls {
  readonly clients: Client<typeof ClientService>;
  readonly memberships: Client<typeof MembershipService>;
}

export interface Person extends FounderCalls {
  readonly accountUuid: string;
  readonly email: string;
}

export interface FounderFixture {
  readonly context: TestContext;
  readonly sales: FakeSales;
  readonly mails: Mail[];
  as(caller: string): FounderCalls;
  readonly operator: FounderCalls;
  /** Calls as the commitments service. */
  readonly commitments: FounderCalls;
  /** A person with an account. @param signedInMsAgo the age of the sign-in, 0 by default */
  person(name: string, signedInMsAgo?: number, authenticatedBy?: "code" | "passkey"): Promise<Person>;
  /** A sale with members. @param members roles by the names that `person` takes */
  sale(members: Readonly<Record<string, Role>>, sale?: FakeSale): Promise<string>;
}

/** The RPCs for founders, without a network, with fake sales, and with mails that are kept for the test. */
export async function founderFixture(given: Partial<WiredContext> = {}): Promise<FounderFixture> {
  const sales = new FakeSales();
  const mails: Mail[] = [];
  const mailer = { send: async (mail: Mail) => void mails.push(mail) };
  const context = await authContext({ sales, mailer, ...given });
  const { database, clock } = context;
  const routes = authRoutes(context, createAuthMetrics(new Registry()));
  const calls = (options: Pick<Parameters<typeof routerTransport>[0], "caller" | "actor">): FounderCalls => {
    const transport = routerTransport({ routes, allowed: ALLOWED_CALLERS, ...options });
    return { clients: createClient(ClientService, transport), memberships: createClient(MembershipService, transport) };
  };
  const as = (caller: string) => calls({ caller });
  const operator = as("operator");
  const person: FounderFixture["person"] = async (name, signedInMsAgo = 0, authenticatedBy = "code") => {
    const email = `${name}@example.com`;
    const { uuid: accountUuid } = await database.write((transaction) =>
      findOrCreateAccount(transaction, database.dialect, email, clock()),
    );
    const actor = { accountUuid, authenticatedAtMs: clock() - BigInt(signedInMsAgo), authenticatedBy };
    return { accountUuid, email, ...calls({ caller: "gateway", actor }) };
  };
  const sale = async (members: Readonly<Record<string, Role>>, fake: FakeSale = {}): Promise<string> => {
    const saleUuid = randomUUID();
    sales.set(saleUuid, fake);
    for (const [name, role] of Object.entries(members)) {
      await operator.memberships.setMember({ saleUuid, email: `${name}@example.com`, role });
    }
    mails.length = 0;
    return saleUuid;
  };
  return { context, sales, mails, as, operator, commitments: as("commitments"), person, sale };
}

/** The error code of a call; undefined if it succeeds. */
export async function refusalOf(call: Promise<unknown>): Promise<string | undefined> {
  try {
    await call;
    return undefined;
  } catch (error) {
    return toServiceError(error)?.code ?? String(error);
  }
}

export { Role };
