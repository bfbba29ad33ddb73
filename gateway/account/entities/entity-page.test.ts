import { create } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { expect, it } from "vitest";
import type { Language } from "../../../common/platform/language/language.ts";
import { SETUP_REASONS, type SetupReasonName } from "../../../common/sale/words/setup-reasons.ts";
import {
  DisputedWalletSchema,
  DisputedWalletState,
  EntitySchema,
  IdentityProvider,
  LinkedWalletSchema,
} from "../../../proto/gen/tidemark/entities/v1/entity_pb.ts";
import { DE } from "../../web/texts/de.ts";
import { EN } from "../../web/texts/en.ts";
import { entitySection } from "./entities-section.ts";
import { type EntityView, entityPage } from "./entity-page.ts";

const ADDRESS = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
const TIME = timestampFromMs(Date.UTC(2026, 10, 29, 10, 30));

async function html(language: Language, given: Partial<EntityView>): Promise<string> {
  const entity = create(EntitySchema, { uuid: "00000000-0000-4000-8000-0000000000e1", label: "Me" });
  const lists = { wallets: [], disputedWallets: [], applications: [] };
  const session = { sessionToken: "x", authUrl: "https://auth.example", contact: "" };
  const view = { entity, application: undefined, ...lists, provider: IdentityProvider.REVIEW, ...session, ...given };
  return String(await entityPage(view, language).content);
}

it("says of a linked wallet where it counts, if not everywhere", async () => {
  const linked = (scope: object) => [create(LinkedWalletSchema, { address: ADDRESS, linkedAt: TIME, ...scope })];
  const everywhere = await html("en", { wallets: linked({ countsEverywhere: true }) });
  expect(everywhere).not.toMatch(/smart account|Counts in no sale/);
  expect(await html("en", { wallets: linked({ chainIds: [1n, 8_453n] }) })).toContain("on the chains 1, 8453 only");
  expect(await html("de", { wallets: linked({ chainIds: [1n] }) })).toContain("zählt nur in Verkäufen auf der Chain 1");
  expect(await html("en", { wallets: linked({}) })).toContain("Link the wallet once more.");
});

it.each(Object.entries(SETUP_REASONS))(
  "says the service's own reason %s in the language of the page",
  async (name, setupReason) => {
    const entity = create(EntitySchema, { label: "Me", setupReason });
    for (const [language, texts] of [
      ["en", EN],
      ["de", DE],
    ] as const) {
      const rest = { provider: IdentityProvider.REVIEW, sessionToken: "", application: undefined };
      const view = { entities: [entity], ...rest };
      const pages = [await html(language, { entity }), String(await entitySection(view, language))];
      for (const page of pages) expect(page).toContain(texts.setupReason[name as SetupReasonName]);
    }
    expect(DE.setupReason[name as SetupReasonName]).not.toBe(EN.setupReason[name as SetupReasonName]);
  },
);

it("leads to the people who run the application's sale, if they say how", async () => {
  const found = await html("en", { contact: "help@sale.example" });
  expect(found).toContain('<a href="mailto:help@sale.example" rel="external nofollow noopener">');
  expect(found).toContain("Questions? Contact the people who run the sale: ");
  expect(await html("en", {})).not.toContain("Questions?");
});

it("shows a reviewer's reason as it was written, in no language that a page knows", async () => {
  const entity = create(EntitySchema, { label: "Me", setupReason: "The <passport> is unreadable." });
  expect(await html("de", { entity })).toContain('Der Grund: <bdi lang="">The &lt;passport&gt; is unreadable.</bdi>');
});

it.each<[DisputedWalletState, string, string]>([
  [DisputedWalletState.HELD, "at the earliest", "frühestens ab"],
  [DisputedWalletState.FREE, "has ended without a bid", "hat ohne Gebot geendet"],
  [DisputedWalletState.DISPLACED, "You get no further permit", "Sie bekommen keine weitere Kauffreigabe"],
  [DisputedWalletState.BID_OF_ANOTHER, "has a bid of another participant", "hat ein Gebot eines anderen Teilnehmers"],
  [DisputedWalletState.PROVED_BY_ANOTHER, "has shown first", "hat zuerst gezeigt"],
  [DisputedWalletState.UNSPECIFIED, "can’t be asked", "kann gerade nicht gefragt werden"],
])("says of a wallet that another participant wants, too, what becomes of it (%i)", async (state, english, german) => {
  const until = state === DisputedWalletState.HELD ? { until: TIME } : {};
  const wallet = create(DisputedWalletSchema, { address: ADDRESS, saleName: "<Harbour>", state, ...until });
  const pages = await Promise.all([
    html("en", { disputedWallets: [wallet] }),
    html("de", { disputedWallets: [wallet] }),
  ]);
  for (const page of pages) expect(page).toContain("<bdi>&lt;Harbour&gt;</bdi>: ");
  expect(pages[0]).toContain(english);
  expect(pages[1]).toContain(german);
  if (state === DisputedWalletState.HELD) expect(pages[0]).toContain("2026-11-29T10:30");
});
