import { create } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { AuthenticationMethod } from "../../proto/gen/tidemark/auth/v1/account_service_pb.ts";
import { EntityType } from "../../proto/gen/tidemark/entities/v1/entity_pb.ts";
import { type Review, ReviewSchema } from "../../proto/gen/tidemark/entities/v1/entity_service_pb.ts";
import {
  type ParticipationGroup,
  ParticipationGroupSchema,
} from "../../proto/gen/tidemark/entities/v1/participation_rules_pb.ts";
import { takingPartPaths } from "../dashboard/base/dashboard-paths.ts";
import { type FakeAuthGateway, startFakeAuthGateway } from "./fake-auth-gateway.ts";
import { SALE } from "./fake-commitments.ts";
import { FakeParticipation } from "./fake-participation.ts";
import { FakeSales } from "./fake-sales.ts";
import { PageBrowser } from "./page-browser.ts";

export const GROUP = "99999999-9999-4999-8999-999999999999";
export const OTHER_GROUP = "99999999-9999-4999-8999-999999999998";
export const REVIEWED = "12121212-1212-4212-8212-121212121212";
export const TAKING_PART = takingPartPaths(SALE);

const OLD_MS = 3_600_000;

/** A gateway with the pages about taking part in `SALE`, and fakes of the services behind it. */
export class TakingPartSite {
  readonly gateway: FakeAuthGateway;
  readonly participation: FakeParticipation;
  readonly sales: FakeSales;

  private constructor(gateway: FakeAuthGateway, participation: FakeParticipation, sales: FakeSales) {
    this.gateway = gateway;
    this.participation = participation;
    this.sales = sales;
  }

  static async start(): Promise<TakingPartSite> {
    const [participation, sales] = [new FakeParticipation(), new FakeSales()];
    const gateway = await startFakeAuthGateway({}, sales.services, participation.clients);
    return new TakingPartSite(gateway, participation, sales);
  }

  /** Returns the browser of somebody who signed in just now, or long ago. */
  browser({ isStale = false }: { readonly isStale?: boolean } = {}): PageBrowser {
    const browser = new PageBrowser(this.gateway.origin);
    browser.cookies.set("tidemark-session", this.sessionToken({ isStale }));
    return browser;
  }

  /** Starts a session of somebody with a passkey, as reviewers need one. @returns its token */
  sessionToken({ isStale = false }: { readonly isStale?: boolean } = {}): string {
    const authenticatedBy = AuthenticationMethod.PASSKEY;
    return this.gateway.fake.accounts.addSession({ ageMs: isStale ? OLD_MS : 0, authenticatedBy });
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
