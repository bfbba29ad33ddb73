import { expect, it } from "vitest";
import { IdentityProvider } from "../../../proto/gen/tidemark/entities/v1/entity_pb.ts";
import { type OwnSalesView, ownSalesSection } from "./own-sales.ts";

const SALE = "11111111-1111-4111-8111-111111111111";
const BID = {
  saleUuid: SALE,
  entityUuid: "",
  wallet: "0x1",
  states: ["in"],
  differs: false,
  isSettled: false,
} as const;
const VIEW: OwnSalesView = {
  ...{
    entities: [],
    provider: IdentityProvider.REVIEW,
    permits: [],
    hasMorePermits: false,
    bids: [BID],
    hasMoreWallets: false,
    consents: [],
  },
  ...{ contacts: new Map(), publicBaseUrl: "https://sales.example", alerts: undefined, sessionToken: "" },
};
const html = async (change: Partial<OwnSalesView>) => String(await ownSalesSection({ ...VIEW, ...change }, "en"));

it("says where there is more than what is shown", async () => {
  expect(await html({})).not.toContain("Only the");
  const more = "Only the 2 wallets that were bound last are shown. Any wallet can be looked up on its sale’s page.";
  expect(await html({ bids: [BID, BID], hasMoreWallets: true })).toContain(more);
  expect(await html({ hasMorePermits: true })).toContain("The copy of your data has more of them.");
});

it("warns once of a sale's accepted amounts that don't add up, as the sale's page does", async () => {
  const warning = "The accepted amounts of all bidders don’t add up to the contract’s own total";
  expect(await html({})).not.toContain(warning);
  const differing = { ...BID, differs: true };
  expect((await html({ bids: [differing, differing] })).split(warning)).toHaveLength(2);
});
