import { readdirSync } from "node:fs";
import { create } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError } from "@connectrpc/connect";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { invalidArgument } from "../../common/platform/errors/service-error.ts";
import { toConnectError } from "../../common/platform/rpc/errors.ts";
import { REVIEWS_PATH, reviewPath, takingPartPaths } from "../../gateway/dashboard/base/dashboard-paths.ts";
import { SALE } from "../../gateway/testing/fake-commitments.ts";
import { fakeKey, noRules } from "../../gateway/testing/fake-participation.ts";
import { fakeAuction } from "../../gateway/testing/fake-sales.ts";
import {
  fakeGroup,
  fakeReview,
  GROUP,
  OTHER_GROUP,
  REVIEWED,
  TakingPartSite,
} from "../../gateway/testing/taking-part-site.ts";
import { Role } from "../../proto/gen/tidemark/auth/v1/membership_service_pb.ts";
import { SaleDefinitionSchema } from "../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { FreezeSchema, GroupMemberSchema } from "../../proto/gen/tidemark/entities/v1/eligibility_service_pb.ts";
import { EntityType, WalletKind } from "../../proto/gen/tidemark/entities/v1/entity_pb.ts";
import {
  CountryRule,
  PermitPayload,
  ScreeningFailure,
} from "../../proto/gen/tidemark/entities/v1/participation_rules_pb.ts";
import {
  ContractKnowledge,
  PermitCountSchema,
  PermitKeyStatus,
  PermitRecordSchema,
} from "../../proto/gen/tidemark/entities/v1/permit_service_pb.ts";
import { violationsOf } from "../support/pages/axe.ts";
import { launchChromium } from "../support/pages/browser.ts";
import { proseOf } from "../support/pages/prose.ts";
import { openWatchedPage, type WatchedPage } from "../support/pages/watched-page.ts";
import { REPOSITORY_ROOT } from "../support/repository/repository.ts";

const PATHS = takingPartPaths(SALE);
const REVIEW = reviewPath(REVIEWED);
const LONG = "unbreakable".repeat(9);

let browser: Browser;
let site: TakingPartSite;
beforeAll(async () => {
  browser = await launchChromium();
  site = await TakingPartSite.start();
});
afterAll(async () => {
  await browser?.close();
  await site?.gateway.stop();
});

/** Everything that pages have shown so far. */
const seen = new Set<string>();

async function reset(): Promise<void> {
  const { participation: fake } = site;
  fake.failures.clear();
  Object.assign(fake, { rules: noRules(), version: 0n, unexpiredPermits: 0n, isReviewer: true });
  Object.assign(fake, { members: [], denyList: [], freezes: [], keys: [], permits: [], hours: [], reviews: [] });
  await site.setRole(Role.OWNER);
  site.sales.sale = fakeAuction(LONG);
}

function fill(): void {
  const { participation: fake } = site;
  const { rules } = fake;
  Object.assign(rules, { enabled: true, livenessRequired: true, countries: ["US"], defaultGroupUuid: OTHER_GROUP });
  rules.groups = [
    fakeGroup({ name: LONG, maxPriceTicks: 0n }),
    fakeGroup({ uuid: OTHER_GROUP, opensAt: 0n, closesAt: 2n ** 53n - 1n, minAmount: "0", forcedLockup: true }),
    fakeGroup({ uuid: REVIEWED, opensAt: 0n, closesAt: 0n, maxAmount: "", minPriceTicks: 0n, maxPriceTicks: 0n }),
  ];
  Object.assign(rules.wallets ?? {}, {
    screenerUrl: "https://screener.example/",
    linkingRequired: true,
    maxWalletsPerEntity: 3,
  });
  Object.assign(fake, { unexpiredPermits: 2n });
  const entity = { saleSpecificEntityId: new Uint8Array(16).fill(7) };
  const at = (ms: number) => timestampFromMs(Date.now() + ms);
  fake.hours = [create(PermitCountSchema, { hour: at(-3_600_000), permits: 5n })];
  const permit = {
    ...entity,
    wallet: `0x${"a1".repeat(20)}`,
    issuedAt: at(-1_000),
    expiresAt: at(600_000),
    groupUuid: GROUP,
  };
  const bounds = { minAmount: "1", maxAmount: String(2n ** 256n - 1n), minPrice: 10n, maxPrice: 2n ** 53n - 1n };
  fake.permits = [
    create(PermitRecordSchema, { ...permit, ...bounds, forcedLockup: true }),
    create(PermitRecordSchema, { ...permit, ...bounds, maxAmount: "5", maxPrice: 50n, groupUuid: SALE }),
  ];
  fake.freezes = [create(FreezeSchema, { ...entity, note: LONG, since: at(0) })];
  fake.members = Array.from({ length: 30 }, (_, index) =>
    create(GroupMemberSchema, {
      uuid: crypto.randomUUID(),
      groupUuid: index % 2 === 0 ? GROUP : SALE,
      key: { case: "email", value: `${LONG}${index}@example.org` },
      minAmount: "1",
      maxAmount: "2",
    }),
  );
  fake.denyList = Array.from({ length: 60 }, (_, index) => `0x${String(index).padStart(40, "0")}`);
  fake.keys = [
    { ...fakeKey(PermitKeyStatus.NEXT, 2), remote: true },
    { ...fakeKey(PermitKeyStatus.ACTIVE, 1), contract: ContractKnowledge.KNOWN },
  ];
  fake.reviews = [fakeReview(LONG), fakeReview("Ann")];
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

function known(
  status: PermitKeyStatus,
  contract: ContractKnowledge,
  changes: { contractProblem?: string; kind?: WalletKind } = {},
) {
  return () => {
    site.participation.keys = [{ ...fakeKey(status), contract, ...changes }];
  };
}

async function sendList(page: Page, path: string, list: string, button: string): Promise<void> {
  await page.goto(path);
  await page.getByLabel("Or the lines themselves").fill(list);
  await press(page, button);
  await page.locator("#result").waitFor();
}

/** Every page, by the way to it; each goes on from where the one before left browser and fakes. */
const PAGES: readonly (readonly [title: string, reach: Step])[] = [
  ["Taking part", given(reset, goTo(PATHS.overview))],
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
  ["Signer", given(known(PermitKeyStatus.NEXT, ContractKnowledge.KNOWN), goTo(PATHS.signer))],
  ["Taking part", goTo(PATHS.overview)],
  ["Signer", given(known(PermitKeyStatus.ACTIVE, ContractKnowledge.KNOWN), goTo(PATHS.signer))],
  ["Signer", given(known(PermitKeyStatus.RETIRED, ContractKnowledge.UNSPECIFIED), goTo(PATHS.signer))],
  [
    "Signer",
    given(
      known(PermitKeyStatus.ACTIVE, ContractKnowledge.UNSPECIFIED, {
        contractProblem: "the node is away",
        kind: WalletKind.SVM,
      }),
      goTo(PATHS.signer),
    ),
  ],
  ["Taking part", goTo(PATHS.overview)],
  [
    "Signer",
    given(known(PermitKeyStatus.RETIRED, ContractKnowledge.UNKNOWN_KEY), async (page) => {
      await page.goto(PATHS.signer);
      await page.getByRole("button", { name: /^Delete/ }).click();
    }),
  ],
  ["Taking part", given(fill, goTo(PATHS.overview))],
  ["Signer", goTo(PATHS.signer)],
  ["Frozen entities", goTo(PATHS.freezes)],
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
      site.participation.version = 9n;
      site.participation.rules.entityTypes = [EntityType.PERSON];
      site.participation.rules.countryRule = CountryRule.ONLY_LISTED;
      site.participation.rules.payload = PermitPayload.NONE;
      Object.assign(site.participation.rules.wallets ?? {}, { onScreeningFailure: ScreeningFailure.OPEN });
      await press(page, "Save the rules");
    },
  ],
  [
    "Error: Who may take part",
    async (page) => {
      const violations = [
        "closes_at must be after opens_at",
        "max_amount below min_amount",
        "max_price_ticks below min_price_ticks",
      ];
      const broken = violations.map((text) => {
        const [field = ""] = text.split(" ");
        return { field: `rules.groups[0].${field}`, rule: "order", message: text.slice(field.length + 1) };
      });
      site.participation.failures.set(
        "UpdateRules",
        toConnectError(invalidArgument(broken), () => undefined),
      );
      await press(page, "Save the rules");
      site.participation.failures.clear();
    },
  ],
  ["Taking part", (page) => press(page, "Save the rules")],
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
          () => void site.participation.failures.set("ImportMembers", new ConnectError("too many members", code)),
          (page) => sendList(page, PATHS.groupMembers, `group,email\n${OTHER_GROUP},x\n`, "Import at once"),
        ),
      ] as const,
  ),
  ["Deny list", goTo(PATHS.denyList)],
  ["Check of wallets", (page) => sendList(page, PATHS.denyList, "0x12\nx", "Check it first")],
  ["Change of the deny list", (page) => sendList(page, PATHS.denyList, "0x12\nx", "Change at once")],
  [
    "Check of wallets",
    async (page) => {
      await page.goto(PATHS.denyList);
      await page.getByLabel("What to do").selectOption("remove");
      await page.getByLabel("Or the lines themselves").fill("0x12");
      await press(page, "Check it first");
      await page.locator("#result").waitFor();
    },
  ],
  [
    "Taking part",
    given(() => {
      known(PermitKeyStatus.ACTIVE, ContractKnowledge.KNOWN)();
      site.participation.rules.enabled = false;
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
      site.participation.failures.set("DecideReview", new ConnectError("changed", Code.Aborted));
      await page.getByLabel("Reason").fill("The register has another name.");
      await press(page, "Refuse");
    },
  ],
  [
    "Somebody else has to decide this",
    async (page) => {
      site.participation.failures.set("DecideReview", new ConnectError("own", Code.PermissionDenied));
      await press(page, "Refuse");
    },
  ],
  [
    "Reviews",
    async (page) => {
      site.participation.failures.clear();
      await page.goto(REVIEW);
      await page.getByLabel("Reason").fill("The register has another name.");
      await press(page, "Refuse");
    },
  ],
  ["Reviews", goTo(`${REVIEWS_PATH}?done=approved`)],
  [
    "This entity doesn’t wait for a review",
    given(() => Object.assign(site.participation, { reviews: [] }), goTo(REVIEW)),
  ],
  [
    "Only reviewers see this page",
    given(() => Object.assign(site.participation, { isReviewer: false }), goTo(REVIEWS_PATH)),
  ],
  ["Members of groups", given(reset, goTo(PATHS.groupMembers))],
  ["Taking part", given(() => site.setRole(Role.VIEWER), goTo(PATHS.overview))],
  ["Signer", goTo(PATHS.signer)],
  [
    "Taking part",
    given(async () => {
      await reset();
      site.sales.sale.definition = create(SaleDefinitionSchema, {
        name: "Fixed",
        paymentTokens: [
          { address: "a", decimals: 6 },
          { address: "b", decimals: 18 },
        ],
        paymentTokenDecimals: 6,
        priceTick: { numerator: "1", denominator: "1" },
        pricing: { case: "fixed", value: { priceTicks: 2n ** 53n } },
      });
      site.participation.rules.bidsWithoutPrice = true;
      site.participation.rules.groups = [fakeGroup()];
      site.participation.hours = [
        create(PermitCountSchema, { hour: timestampFromMs(Date.now() - 5 * 86_400_000), permits: 1n }),
      ];
      site.participation.permits = [create(PermitRecordSchema, { minAmount: "0", maxAmount: "0" })];
      Object.assign(site.participation, { unexpiredPermits: 1n });
      site.participation.keys = [{ ...fakeKey(PermitKeyStatus.ACTIVE), contract: ContractKnowledge.UNSPECIFIED }];
    }, goTo(PATHS.overview)),
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
  await reset();
  const { page, close } = await open(1280, "light");
  await page.goto(PATHS.rules);
  await page.getByLabel("These countries", { exact: true }).fill("Germany");
  await page.context().addCookies([cookieOf(site.sessionToken("long ago"))]);
  await press(page, "Save the rules");
  await look(page);
  const [tab] = await Promise.all([
    page.context().waitForEvent("page"),
    page.getByRole("link", { name: "Confirm that it’s you (in a new tab)" }).click(),
  ]);
  await tab.waitForLoadState();
  expect(await tab.title()).toBe("Confirm that it’s you · Tidemark");
  await page.context().addCookies([cookieOf(site.sessionToken())]);
  await press(page, "Save the rules");
  await page.getByText("The rules are saved.").waitFor();
  expect(site.participation.rules.countries).toEqual(["DE"]);
  await close();
});

it("every sentence of these pages has been seen, or it is listed why not", () => {
  const modules = ["taking-part", "reviews"].flatMap((folder) =>
    readdirSync(`${REPOSITORY_ROOT}/gateway/dashboard/${folder}`)
      .filter((name) => !name.endsWith(".test.ts"))
      .map((name) => `gateway/dashboard/${folder}/${name}`),
  );
  modules.push("gateway/dashboard/base/list-upload.ts", "gateway/dashboard/files/list-import.ts");
  modules.push("common/sale/words/signer-steps.ts");
  const prose = modules.flatMap((path) => proseOf(path).map((one) => ({ path, ...one })));
  const excused = new Set(Object.values(NOT_SHOWN).flat());
  const lines = [...seen];
  const unseen = prose.filter(({ text, pattern }) => !excused.has(text) && !lines.some((line) => pattern.test(line)));
  expect(unseen.map(({ path, text }) => `${path}: ${text}`)).toStrictEqual([]);
  const known = new Set(prose.map(({ text }) => text));
  expect([...excused].filter((text) => !known.has(text))).toStrictEqual([]);
});

/** Sentences that no page shows here, by the reason. */
const NOT_SHOWN: Readonly<Record<string, readonly string[]>> = {
  "reviewers have signed in with a passkey here; gateway/dashboard/reviews/reviews.test.ts has the page of others": [
    "Reviewers need a passkey",
    "You signed in with a code.",
    "Your account has no passkey yet: add one, then sign in with it.",
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
  "it is no sentence": ["text/csv; charset=utf-8; header=present", 'attachment; filename="…"', "primary fit"],
  "it is for the log of the gateway": ["import failed"],
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
  await watched.page.context().addCookies([cookieOf(site.sessionToken())]);
  return watched;
}

function cookieOf(value: string) {
  return { name: "tidemark-session", value, url: site.gateway.origin };
}

async function look(page: Page): Promise<void> {
  await page.waitForLoadState();
  // What folds away is read as well.
  const text: string = await page.evaluate(`{
    for (const one of document.querySelectorAll("details")) one.open = true;
    document.title + "\\n" + document.body.innerText;
  }`);
  for (const line of text.split("\n")) seen.add(line.trim());
  seen.add(text);
}
