import { readdirSync } from "node:fs";
import { Code, ConnectError } from "@connectrpc/connect";
import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { REVIEWS_PATH, reviewPath, takingPartPaths } from "../../gateway/dashboard/base/dashboard-paths.ts";
import { SALE } from "../../gateway/testing/fake-commitments.ts";
import { FounderSite, harbourAuction } from "../../gateway/testing/founder-site.ts";
import { addEntity } from "../../gateway/testing/own-entities.ts";
import {
  addMembers,
  boundedGroup,
  denyWallets,
  ENTITY_ID,
  GROUP,
  OTHER_GROUP,
  setRules,
  storedRules,
  storePermits,
} from "../../gateway/testing/taking-part.ts";
import { DASHBOARD_EN } from "../../gateway/web/texts/dashboard/en.ts";
import { Role } from "../../proto/gen/tidemark/auth/v1/membership_service_pb.ts";
import { EntityType, WalletKind } from "../../proto/gen/tidemark/entities/v1/entity_pb.ts";
import {
  CountryRule,
  PermitPayload,
  ScreeningFailure,
} from "../../proto/gen/tidemark/entities/v1/participation_rules_pb.ts";
import {
  ContractKnowledge,
  type PermitKey,
  PermitKeyStatus,
  PermitService,
} from "../../proto/gen/tidemark/entities/v1/permit_service_pb.ts";
import { violationsOf } from "../support/pages/axe.ts";
import { launchChromium } from "../support/pages/browser.ts";
import { proseOf, proseOfTexts } from "../support/pages/prose.ts";
import { openWatchedPage, type WatchedPage } from "../support/pages/watched-page.ts";
import { USER } from "../support/processes/auth-in-process.ts";
import { REPOSITORY_ROOT } from "../support/repository/repository.ts";
import { fixedPricing, USDY, usdx } from "../support/sales/sale-messages.ts";

/** A sale of which nothing is set up, with an old permit. */
const EMPTY_SALE = "55555555-5555-4555-8555-555555555555";
/** The UUID of a group that the rules have no more. */
const OLD_GROUP = "99999999-9999-4999-8999-999999999997";
const PATHS = takingPartPaths(SALE);
const EMPTY = takingPartPaths(EMPTY_SALE);
const REVIEWED = "12121212-1212-4212-8212-121212121212";
const REVIEW = reviewPath(REVIEWED);
const LONG = "unbreakable".repeat(9);
const BOB = "bob@example.org";
const WALLET = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const HOUR_MS = 3_600_000n;
/** The last second of the year 9999. */
const LATEST = 253_402_300_799n;

let browser: Browser;
let site: FounderSite;
beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(() => browser?.close());
beforeEach(async () => {
  site = await FounderSite.start(harbourAuction({ name: LONG }), { REVIEWERS: USER });
  await site.addSale(EMPTY_SALE);
});
afterEach(() => site.stop());

/** Everything that pages have shown so far. */
const seen = new Set<string>();

/** Fills the rules and every list of the sale, and has entities wait for a reviewer. */
async function fill(): Promise<void> {
  const { gateway } = site;
  const { entities, auth } = gateway;
  const { eligibility, permits } = entities.as("operator");
  await fillRules();
  const issuedAtMs = auth.time.now() - HOUR_MS;
  const bounds = { minAmount: 1n, maxPrice: 2n ** 53n - 1n };
  const later = { ...bounds, maxAmount: 5n, maxPrice: 50n, groupUuid: OLD_GROUP };
  await storePermits(gateway, [bounds, later, ...Array.from({ length: 5 }, () => ({ issuedAtMs }))]);
  await eligibility.setFreeze({ saleUuid: SALE, saleSpecificEntityId: ENTITY_ID, frozen: true, note: LONG });
  await denyWallets(
    gateway,
    Array.from({ length: 60 }, (_, index) => `0x${String(index).padStart(40, "0")}`),
  );
  show({});
  await permits.createKey({ saleUuid: SALE });
  entities.contract.accepted = true;
  entities.faults.edit(PermitService.method.listKeys, ({ keys }) => {
    for (const key of keys) key.remote = key.status === PermitKeyStatus.NEXT;
  });
  await submit(REVIEWED, LONG);
  await submit(crypto.randomUUID(), "Ann");
}

async function fillRules(): Promise<void> {
  const { gateway } = site;
  const old = boundedGroup({ uuid: OLD_GROUP, name: "Old" });
  const groups = [
    boundedGroup({ name: LONG, maxPriceTicks: 0n }),
    boundedGroup({ uuid: OTHER_GROUP, opensAt: 0n, closesAt: LATEST, minAmount: "0", forcedLockup: true }),
    boundedGroup({
      ...{ uuid: REVIEWED, name: "Everybody", opensAt: 0n, closesAt: 0n },
      ...{ maxAmount: "", minPriceTicks: 0n, maxPriceTicks: 0n },
    }),
  ];
  await setRules(gateway, { groups: [...groups, old] });
  await addMembers(
    gateway,
    Array.from({ length: 30 }, (_, index) => ({
      groupUuid: index % 2 === 0 ? GROUP : OLD_GROUP,
      key: { case: "email", value: `${LONG.slice(0, 60)}${index}@example.org` },
      minAmount: "1",
      maxAmount: "2",
    })),
  );
  const { rules } = await storedRules(gateway);
  if (rules.wallets === undefined) throw new TypeError("the rules are incomplete");
  const wallets = {
    ...rules.wallets,
    screenerUrl: "https://screener.example/",
    linkingRequired: true,
    maxWalletsPerEntity: 3,
  };
  const others = { enabled: true, livenessRequired: true, countries: ["US"], defaultGroupUuid: OTHER_GROUP };
  await setRules(gateway, { ...others, groups, wallets });
}

/** Stores an organization that waits for a reviewer. */
async function submit(uuid: string, label: string): Promise<void> {
  const waiting = { setupState: "ready_for_review", submittedAtMs: 1_000n } as const;
  await addEntity(site.gateway, { uuid, label, type: "organization", country: "DE", ...waiting }, BOB);
}

/** Shows keys in a state that they take days to reach, or that depends on a chain. */
function show(change: Partial<PermitKey>): void {
  site.gateway.entities.faults.edit(PermitService.method.listKeys, ({ keys }) => {
    for (const key of keys) Object.assign(key, change);
  });
}

type Step = (page: Page) => Promise<unknown>;

const goTo =
  (path: string): Step =>
  (page) =>
    page.goto(path);
const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).last().click();

/** Sets something up before a page is opened. */
function given(set: () => unknown, step: Step): Step {
  return async (page) => {
    await set();
    await step(page);
  };
}

/** Fills fields of the first group of the rules. */
async function fillGroup(page: Page, values: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, value] of Object.entries(values)) await page.locator(`[name="group_${name}_0"]`).fill(value);
}

const failures = () => site.gateway.entities.faults.failures;
const shown = (change: Partial<PermitKey>) => () => show(change);

async function sendList(page: Page, path: string, list: string, button: string): Promise<void> {
  await page.goto(path);
  await page.getByLabel("Or the lines themselves").fill(list);
  await press(page, button);
  await page.locator("#result").waitFor();
}

/** The definition of a sale in which nobody can take part. */
const IMPOSSIBLE = harbourAuction({
  ...{ name: "Fixed", source: { case: undefined }, pricing: fixedPricing(2n ** 53n) },
  ...{ paymentTokens: [usdx, { address: USDY, decimals: 18 }], paymentTokenDecimals: 6 },
});

/** Every page, by the way to it; each goes on from where the one before left browser and services. */
const PAGES: readonly (readonly [title: string, reach: Step])[] = [
  ["Taking part", goTo(PATHS.overview)],
  ["Who may take part", goTo(PATHS.rules)],
  [
    "Error: Who may take part",
    async (page) => {
      await press(page, "Add a group");
      await press(page, "Add a group");
      for (const [name, value] of Object.entries({
        countries: "Atlantis",
        max_wallets: "0",
        group_min_amount_0: "0.0000001",
        group_max_amount_0: `${2n ** 256n}`,
        group_min_price_0: "0.001",
        group_max_price_0: "900719925474099200",
        group_priority_0: "5000",
      })) {
        await page.locator(`[name="${name}"]`).fill(value);
      }
      for (const name of ["persons", "organizations"]) await page.locator(`[name="${name}"]`).uncheck();
      await page.evaluate(`for (const [name, value] of [["group_opens_0", "tomorrow"], ["group_closes_0", "@0"]]) {
        const field = document.querySelector('[name="' + name + '"]');
        field.type = "text";
        field.value = value;
      }`);
      await press(page, "Save the rules");
    },
  ],
  ["Signer", goTo(PATHS.signer)],
  ["Signer", (page) => press(page, "Create a key")],
  ["Error: Signer", (page) => page.getByRole("button", { name: /^Activate/ }).click()],
  [
    "Signer",
    async (page) => {
      await page.getByLabel("Activate it although the contract may not know it").check();
      await page.getByRole("button", { name: /^Activate/ }).click();
    },
  ],
  ["Taking part", goTo(PATHS.overview)],
  ["Signer", given(shown({ status: PermitKeyStatus.NEXT, contract: ContractKnowledge.KNOWN }), goTo(PATHS.signer))],
  ["Taking part", goTo(PATHS.overview)],
  ["Signer", given(shown({ status: PermitKeyStatus.ACTIVE, contract: ContractKnowledge.KNOWN }), goTo(PATHS.signer))],
  [
    "Signer",
    given(shown({ status: PermitKeyStatus.RETIRED, contract: ContractKnowledge.UNSPECIFIED }), goTo(PATHS.signer)),
  ],
  [
    "Signer",
    given(
      shown({
        status: PermitKeyStatus.ACTIVE,
        contract: ContractKnowledge.UNSPECIFIED,
        contractProblem: "the node is away",
        kind: WalletKind.SVM,
      }),
      goTo(PATHS.signer),
    ),
  ],
  ["Taking part", goTo(PATHS.overview)],
  [
    "Signer",
    async (page) => {
      const { auth, entities } = site.gateway;
      auth.time.advance(1);
      await entities.as("operator").permits.createKey({ saleUuid: SALE });
      show({ status: PermitKeyStatus.RETIRED, contract: ContractKnowledge.UNKNOWN_KEY });
      await page.goto(PATHS.signer);
      // The newest, which has signed nothing, can be deleted.
      await page
        .getByRole("button", { name: /^Delete/ })
        .first()
        .click();
    },
  ],
  ["Taking part", given(fill, goTo(PATHS.overview))],
  ["Signer", goTo(PATHS.signer)],
  ["Frozen entities", goTo(PATHS.freezes)],
  ["Permits", goTo(`${PATHS.permits}?entity=0x${"0".repeat(32)}`)],
  ["Permits", goTo(PATHS.permits)],
  [
    "Permits",
    (page) =>
      page
        .getByRole("link", { name: /^All of this entity/ })
        .first()
        .click(),
  ],
  [
    "Frozen entities",
    (page) =>
      page
        .getByRole("link", { name: /^Freeze/ })
        .first()
        .click(),
  ],
  ["Frozen entities", (page) => press(page, "Freeze it")],
  ["Frozen entities", (page) => page.getByRole("button", { name: /^Lift/ }).click()],
  ["Error: Frozen entities", (page) => press(page, "Freeze it")],
  ["Who may take part", goTo(PATHS.rules)],
  [
    "Error: Who may take part",
    async (page) => {
      const { rules } = await storedRules(site.gateway);
      if (rules.wallets === undefined) throw new TypeError("the rules are incomplete");
      await setRules(site.gateway, {
        groups: rules.groups.map((group) => ({ ...group, forcedLockup: false })),
        entityTypes: [EntityType.PERSON],
        countryRule: CountryRule.ONLY_LISTED,
        payload: PermitPayload.NONE,
        wallets: { ...rules.wallets, onScreeningFailure: ScreeningFailure.OPEN },
      });
      await press(page, "Save the rules");
    },
  ],
  [
    "Error: Who may take part",
    async (page) => {
      await fillGroup(page, { closes: "2026-12-01T00:00", max_amount: "1", max_price: "0.05" });
      await press(page, "Save the rules");
    },
  ],
  [
    "Taking part",
    async (page) => {
      await fillGroup(page, { closes: "2026-12-31T00:00", max_amount: "5,000", max_price: "" });
      await press(page, "Save the rules");
    },
  ],
  ["Members of groups", goTo(PATHS.groupMembers)],
  [
    "Members of groups",
    async (page) => {
      await page.getByRole("checkbox").nth(0).check();
      await page.getByRole("checkbox").nth(1).check();
      await press(page, "Remove the ticked ones");
    },
  ],
  [
    "Members of groups",
    async (page) => {
      await page.getByRole("checkbox").first().check();
      await press(page, "Remove the ticked ones");
    },
  ],
  ["Error: Members of groups", (page) => press(page, "Remove the ticked ones")],
  [
    "Members of groups",
    async (page) => {
      await page.getByLabel("E-mail address, wallet or entity").fill("nobody@example.org");
      await press(page, "Find");
    },
  ],
  ["Members of groups", goTo(`${PATHS.groupMembers}?group=${OTHER_GROUP}`)],
  [
    "Check of a list",
    (page) =>
      sendList(
        page,
        PATHS.groupMembers,
        `group,email\nPublic,x\nPublic,x,y\nEarly supporters,x\nEarly supporters,\n${OTHER_GROUP},ann@example.org\n`,
        "Check it first",
      ),
  ],
  [
    "Import of a list",
    async (page) => {
      await press(page, "Import the good lines");
      await page.locator("#result").waitFor();
    },
  ],
  ["Import of a list", (page) => sendList(page, PATHS.groupMembers, '"', "Import at once")],
  [
    "There is no list",
    async (page) => {
      await page.goto(PATHS.groupMembers);
      await press(page, "Import at once");
      await page.getByRole("heading", { name: "There is no list" }).waitFor();
    },
  ],
  ...[Code.Unavailable, Code.PermissionDenied, Code.FailedPrecondition, Code.Internal].map(
    (code) =>
      [
        "Import of a list",
        given(
          () => void failures().set("ImportMembers", new ConnectError("too many members", code)),
          (page) => sendList(page, PATHS.groupMembers, `group,email\n${OTHER_GROUP},x\n`, "Import at once"),
        ),
      ] as const,
  ),
  ["Deny list", goTo(PATHS.denyList)],
  ["Check of wallets", (page) => sendList(page, PATHS.denyList, `${WALLET}\nx`, "Check it first")],
  ["Change of the deny list", (page) => sendList(page, PATHS.denyList, `${WALLET}\nx`, "Change at once")],
  [
    "Check of wallets",
    async (page) => {
      await page.goto(PATHS.denyList);
      await page.getByLabel("What to do").selectOption("remove");
      await page.getByLabel("Or the lines themselves").fill(WALLET);
      await press(page, "Check it first");
      await page.locator("#result").waitFor();
    },
  ],
  [
    "Taking part",
    given(async () => {
      show({ status: PermitKeyStatus.ACTIVE, contract: ContractKnowledge.KNOWN });
      await setRules(site.gateway, { enabled: false });
    }, goTo(PATHS.overview)),
  ],
  ["Reviews", goTo(REVIEWS_PATH)],
  [`Review of ${LONG}`, goTo(REVIEW)],
  [
    `Error: Review of ${LONG}`,
    async (page) => {
      await page.getByLabel("Country").fill("Atlantis");
      await page.evaluate(
        `document.querySelector("#expires").type = "text"; document.querySelector("#expires").value = "soon"`,
      );
      await press(page, "Approve");
    },
  ],
  [`Error: Review of ${LONG}`, (page) => press(page, "Refuse")],
  [
    `Error: Review of ${LONG}`,
    async (page) => {
      failures().set("DecideReview", new ConnectError("changed", Code.Aborted));
      await page.getByLabel("Reason").fill("The register has another name.");
      await press(page, "Refuse");
    },
  ],
  [
    "Somebody else has to decide this",
    async (page) => {
      failures().set("DecideReview", new ConnectError("own", Code.PermissionDenied));
      await press(page, "Refuse");
    },
  ],
  [
    "Reviews",
    async (page) => {
      failures().clear();
      await page.goto(REVIEW);
      await page.getByLabel("Reason").fill("The register has another name.");
      await press(page, "Refuse");
    },
  ],
  ["Reviews", goTo(`${REVIEWS_PATH}?done=approved`)],
  ["This entity doesn’t wait for a review", goTo(REVIEW)],
  [
    "Only reviewers see this page",
    async (page) => {
      await haveSession(page, await site.gateway.auth.signIn({ email: BOB, by: "passkey" }));
      await page.goto(REVIEWS_PATH);
      await haveSession(page, site.sessionToken());
    },
  ],
  [
    "Members of groups",
    // The hours of before are counted once, for the first page of the sale.
    given(() => {
      const issuedAtMs = site.gateway.auth.time.now() - 120n * HOUR_MS;
      return storePermits(site.gateway, [{ saleUuid: EMPTY_SALE, issuedAtMs }]);
    }, goTo(EMPTY.groupMembers)),
  ],
  [
    "Taking part",
    async (page) => {
      await site.setRole(Role.VIEWER, { saleUuid: EMPTY_SALE });
      await page.goto(EMPTY.overview);
    },
  ],
  ["Signer", goTo(EMPTY.signer)],
  [
    "Taking part",
    async (page) => {
      const { gateway } = site;
      await setRules(gateway, { groups: [boundedGroup()], defaultGroupUuid: "", bidsWithoutPrice: true });
      await site.redefine(IMPOSSIBLE);
      // The permits of before end.
      gateway.auth.time.advance(660_000);
      await storePermits(gateway, [{ minAmount: 0n, maxAmount: 0n }]);
      await haveSession(page, await gateway.auth.signIn({ by: "passkey" }));
      await page.goto(PATHS.overview);
    },
  ],
  ["Who may take part", goTo(PATHS.rules)],
];

// The layout depends on the width, and contrast on the colours: two of the four will do.
describe.each([
  [360, "light"],
  [1280, "dark"],
] as const)("pages about taking part at %i px, %s", (width, colorScheme) => {
  it("are accessible, fit and keep to their policy", async () => {
    const { page, complaints, close } = await open(width, colorScheme);
    for (const [index, [title, reach]] of PAGES.entries()) {
      const name = `${index}: ${title}`;
      await reach(page);
      await expect.poll(() => page.title(), { message: name }).toBe(`${title} · Tidemark`);
      await look(page);
      expect(await violationsOf(page), name).toStrictEqual([]);
      expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth"), name).toBe(true);
      expect(complaints, name).toStrictEqual([]);
    }
    await close();
  });
});

it("a form that took longer than a sign-in counts is saved after a sign-in in another tab", async () => {
  const { page, close } = await open(1280, "light");
  await page.goto(PATHS.rules);
  await page.getByLabel("These countries", { exact: true }).fill("Germany");
  await haveSession(page, site.sessionToken("long ago"));
  await press(page, "Save the rules");
  await look(page);
  const [tab] = await Promise.all([
    page.context().waitForEvent("page"),
    page.getByRole("link", { name: "Confirm that it’s you (in a new tab)" }).click(),
  ]);
  await tab.waitForLoadState();
  expect(await tab.title()).toBe("Confirm that it’s you · Tidemark");
  await haveSession(page, site.sessionToken());
  await press(page, "Save the rules");
  await page.getByText("The rules are saved.").waitFor();
  expect((await storedRules(site.gateway)).rules.countries).toEqual(["DE"]);
  await close();
});

it("every sentence of these pages has been seen, or it is listed why not", () => {
  const modules = ["taking-part", "reviews"].flatMap((folder) =>
    readdirSync(`${REPOSITORY_ROOT}/gateway/dashboard/${folder}`)
      .filter((name) => !name.endsWith(".test.ts"))
      .map((name) => `gateway/dashboard/${folder}/${name}`),
  );
  modules.push("gateway/dashboard/base/list-upload.ts", "gateway/dashboard/files/list-import.ts");
  const held = modules.map((path) => [path, proseOf(path)] as const);
  const written = Object.entries(SECTIONS).map(([name, section]) => [name, proseOfTexts(section)] as const);
  const prose = [...held, ...written].flatMap(([path, sentences]) => sentences.map((one) => ({ path, ...one })));
  const excused = new Set(Object.values(NOT_SHOWN).flat());
  const lines = [...seen];
  const unseen = prose.filter(({ text, pattern }) => !excused.has(text) && !lines.some((line) => pattern.test(line)));
  expect(unseen.map(({ path, text }) => `${path}: ${text}`)).toStrictEqual([]);
  const known = new Set(prose.map(({ text }) => text));
  expect([...excused].filter((text) => !known.has(text))).toStrictEqual([]);
});

const { listTitle, listText, noListTitle, noListText, otherListsTitle, otherListsText, lines, linesHint } =
  DASHBOARD_EN.base;

/** The texts of these pages. */
const SECTIONS = {
  takingPart: DASHBOARD_EN.takingPart,
  rules: DASHBOARD_EN.rules,
  groupForm: DASHBOARD_EN.groupForm,
  signer: DASHBOARD_EN.signer,
  signerWords: DASHBOARD_EN.signerWords,
  permits: DASHBOARD_EN.permits,
  freezes: DASHBOARD_EN.freezes,
  groupMembers: DASHBOARD_EN.groupMembers,
  denyList: DASHBOARD_EN.denyList,
  listImport: DASHBOARD_EN.listImport,
  reviews: DASHBOARD_EN.reviews,
  lists: { listTitle, listText, noListTitle, noListText, otherListsTitle, otherListsText, lines, linesHint },
};

/** Sentences that no page shows here, by the reason. */
const NOT_SHOWN: Readonly<Record<string, readonly string[]>> = {
  "reviewers have signed in with a passkey here; gateway/dashboard/reviews/reviews.test.ts has the page of others": [
    "Reviewers need a passkey",
    "You signed in with a code.",
    "Your account has no passkey yet: add one, then sign in with it.",
  ],
  "gateway/dashboard/reviews/reviews.test.ts: of notes and questions": [
    "Enter a question: the user reads it",
    "Enter a note",
    "The note is added.",
    "The user is asked by e-mail. The entity waits here again once it is answered.",
  ],
  "an entity that was refused for good is reviewed again only once somebody has overruled that": ["Refused for good"],
  "gateway/dashboard/taking-part/pages.test.ts: the sale here has no contract that can be read": [
    "Users get permits",
    "It can be switched on",
    "The sale has a contract, which checks permits",
    "Set the right contract: the one that is set isn’t this sale’s, or can’t be read",
  ],
  "it says what a form is for, to the form's guard": [
    "freeze entity",
    "lift freeze",
    "search members",
    "remove members",
    "import members",
    "permit keys",
    "decide review",
    "participation rules\n…",
  ],
  "it is no sentence": ["primary fit"],
  "it is for the log of the gateway": ["import failed"],
  "gateway/dashboard/taking-part/pages.test.ts: of a sign-in that isn't recent": [
    "Change something",
    "For this you need to have signed in within the last ten minutes.",
  ],
  "gateway/dashboard/taking-part/permit-series.test.ts: of permits that are older": ["None in the last 30 days."],
  "it wants the most groups, or somebody else who saves the same rules": [
    "A sale has at most … groups.",
    "The stored rules are the same as your entries.",
  ],
  "the contract here knows each key": ["Then activate it. The key that is active now signs no more from then on."],
  "gateway/dashboard/taking-part/group-members.test.ts: of a large list, and of rules without the list": [
    "To import it, choose the file once more and press “Import at once”.",
    "To go on, choose the file once more and press “Change at once”.",
    "The rules say that this list doesn’t count.",
  ],
  "it is shown until the list is through": [
    "Keep this page open until it says what came of it.",
    "One line so far. Keep this page open until it says what came of it.",
    "… lines so far. Keep this page open until it says what came of it.",
  ],
  "another form of a count or of a list is seen": [
    "… lines were stored.",
    "… lines were added.",
    "One line was removed.",
    "… lines were removed.",
    "… lines would be stored.",
    "… lines would be added.",
    "… lines would be removed.",
    "One line changes nothing.",
    "… lines change nothing.",
    "And one line more.",
    "And … lines more.",
  ],
  "gateway/dashboard/reviews/reviews.test.ts: of no entity, an outside check, and decisions": [
    "Nobody waits for a review. You get an e-mail when somebody does.",
    "Open the outside check",
    "…, until …",
    "…, by …",
  ],
  "gateway/dashboard/taking-part/group-members.test.ts: it wants a large list, or several at once": [
    "This list is too large",
    "Here a list may have 12 MB at most. Divide it, or ask the operator to import it. Nothing was changed.",
    "Other lists are being imported",
    "Please send yours again in a minute. Nothing of it was stored.",
  ],
};

async function open(width: number, colorScheme: "light" | "dark"): Promise<WatchedPage> {
  const options = { baseURL: site.gateway.origin, viewport: { width, height: 740 }, colorScheme };
  const watched = await openWatchedPage(browser, options);
  await haveSession(watched.page, site.sessionToken());
  return watched;
}

async function haveSession(page: Page, value: string): Promise<void> {
  await page.context().addCookies([{ name: "tidemark-session", value, url: site.gateway.origin }]);
}

async function look(page: Page): Promise<void> {
  await page.waitForLoadState();
  // What folds away is read as well.
  const text: string = await page.evaluate(`{
    for (const one of document.querySelectorAll("details")) one.open = true;
    const labels = Array.from(document.querySelectorAll("[aria-label]"), (one) => one.getAttribute("aria-label"));
    [document.title, document.body.innerText, ...labels].join("\\n");
  }`);
  for (const line of text.split("\n")) seen.add(line.trim());
  seen.add(text);
}
