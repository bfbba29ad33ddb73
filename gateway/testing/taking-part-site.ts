import { create } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { Role } from "../../proto/gen/tidemark/auth/v1/membership_service_pb.ts";
import { EntityType } from "../../proto/gen/tidemark/entities/v1/entity_pb.ts";
import { type Review, ReviewSchema } from "../../proto/gen/tidemark/entities/v1/entity_service_pb.ts";
import {
  type ParticipationGroup,
  ParticipationGroupSchema,
} from "../../proto/gen/tidemark/entities/v1/participation_rules_pb.ts";
import { USER } from "../../test/support/processes/auth-in-process.ts";
import { takingPartPaths } from "../dashboard/base/dashboard-paths.ts";
import { type AuthGateway, startAuthGateway } from "./auth-gateway.ts";
import { SALE } from "./fake-commitments.ts";
import { FakeParticipation } from "./fake-participation.ts";
import { FakeSales } from "./fake-sales.ts";
import { PageBrowser } from "./page-browser.ts";

export const GROUP = "99999999-9999-4999-8999-999999999999";
export const OTHER_GROUP = "99999999-9999-4999-8999-999999999998";
export const REVIEWED = "12121212-1212-4212-8212-121212121212";
export const TAKING_PART = takingPartPaths(SALE);

const OLD_MS = 3_600_000;

/** How `USER` signed in: with a passkey, as reviewers need one, or with a code. */
type SignInKind = "just now" | "long ago" | "by a code";

/** A gateway with the pages about taking part in `SALE`, of which `USER` is the owner, and fakes of commitments and entities. */
export class TakingPartSite {
  readonly gateway: AuthGateway;
  readonly participation: FakeParticipation;
  readonly sales: FakeSales;
  readonly #tokens: Readonly<Record<SignInKind, string>>;

  private constructor(
    gateway: AuthGateway,
    participation: FakeParticipation,
    sales: FakeSales,
    tokens: Readonly<Record<SignInKind, string>>,
  ) {
    this.gateway = gateway;
    this.participation = participation;
    this.sales = sales;
    this.#tokens = tokens;
  }

  static async start(): Promise<TakingPartSite> {
    const [participation, sales] = [new FakeParticipation(), new FakeSales()];
    const gateway = await startAuthGateway({}, sales.services, participation.clients);
    const { auth } = gateway;
    const site = new TakingPartSite(gateway, participation, sales, {
      "just now": await auth.signIn({ by: "passkey" }),
      "long ago": await auth.signIn({ by: "passkey", ageMs: OLD_MS }),
      "by a code": await auth.signIn(),
    });
    await site.setRole(Role.OWNER);
    return site;
  }

  /** Gives somebody a role in a sale. */
  async setRole(role: Role, { saleUuid = SALE, email = USER } = {}): Promise<void> {
    const { auth } = this.gateway;
    auth.sales.set(saleUuid, { name: "Harbour Token" });
    const { memberships } = auth.as("operator");
    // A sale is never without an owner.
    if (email === USER && role !== Role.OWNER) {
      await memberships.setMember({ saleUuid, email: "other-owner@example.org", role: Role.OWNER });
    }
    await memberships.setMember({ saleUuid, email, role });
  }

  /** Returns the browser of `USER`. */
  browser(kind: SignInKind = "just now"): PageBrowser {
    const browser = new PageBrowser(this.gateway.origin);
    browser.cookies.set("tidemark-session", this.sessionToken(kind));
    return browser;
  }

  /** The token of a session of `USER`. */
  sessionToken(kind: SignInKind = "just now"): string {
    return this.#tokens[kind];
  }
}

/** Returns a group with all bounds, in December 2026. */
export function fakeGroup(changes: Partial<ParticipationGroup> = {}): ParticipationGroup {
  return create(ParticipationGroupSchema, {
    uuid: GROUP,
    name: "Early supporters",
    opensAt: 1_796_083_200n,
    closesAt: 1_798_675_200n,
    minAmount: "100000000",
    maxAmount: "5000000000",
    minPriceTicks: 10n,
    maxPriceTicks: 50n,
    priority: 10,
    ...changes,
  });
}

/** Returns an organization that waits for a reviewer. */
export function fakeReview(label = "Harbour Holdings GmbH"): Review {
  return create(ReviewSchema, {
    entity: { uuid: REVIEWED, type: EntityType.ORGANIZATION, label, country: "DE", version: 2n },
    email: "bob@example.org",
    submittedAt: timestampFromMs(Date.UTC(2026, 10, 1)),
  });
}
