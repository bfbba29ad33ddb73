import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { Role } from "../../../proto/gen/tidemark/auth/v1/membership_service_pb.ts";
import {
  FeedFault,
  SalePresentationSchema,
  SaleSchema,
  SaleStage,
  SaleStatus,
  Tenancy,
} from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { mayDo } from "./next-step.ts";
import { isOpeningKnown, nextSteps } from "./next-steps.ts";
import type { ApplicationFacts, SaleFacts } from "./sale-facts.ts";

type SaleInit = Exclude<MessageInitShape<typeof SaleSchema>, { $typeName: string }>;
type PresentationInit = Exclude<MessageInitShape<typeof SalePresentationSchema>, { $typeName: string }>;

const SALE = "11111111-1111-4111-8111-111111111111";
const CLIENT = "22222222-2222-4222-8222-222222222222";
const NOW_MS = 1_800_000_000_000;
const PATH = `/dashboard/sales/${SALE}`;
const TOLD: PresentationInit = {
  description: "Sold in harbours.",
  website: "https://sale.example",
  contact: "help@sale.example",
  logo: "ab".repeat(32),
  opensAtSeconds: 1n,
  closesAtSeconds: 1_900_000_000n,
};
const CONTRACT = { case: "evm", value: { chain: "harbour", contract: `0x${"c0".repeat(20)}` } } as const;
const PERMITS = { permits: 0n, lastDay: 0n, enabled: true, hasActiveKey: true };

function saleOf(sale: SaleInit = {}, presentation: PresentationInit = TOLD, source: object = CONTRACT) {
  const definition = { presentation: create(SalePresentationSchema, presentation), source: source as typeof CONTRACT };
  return create(SaleSchema, { uuid: SALE, tenancy: Tenancy.LIVE, definition, hasSnapshot: true, ...sale });
}

function application(unmet: readonly string[], obstacles: readonly string[] = [], uuid = CLIENT): ApplicationFacts {
  const requirements = ["active", "redirect_uri", "square_logo", "wide_logo", "scope:read_entities"];
  const openingRequirements = requirements.map((name) => ({ name, met: !unmet.includes(name) }));
  return {
    uuid,
    name: "Portal",
    obstacles,
    openingRequirements,
  };
}

const FIT = application([]);

function steps(facts: Partial<SaleFacts>, nowMs = NOW_MS): readonly string[] {
  const contract = "good" as const;
  const rest = {
    contract,
    figures: null,
    applications: [FIT],
    signIns: undefined,
    permits: undefined,
    hasTakingPart: true,
  };
  const found = nextSteps({ sale: saleOf({ status: SaleStatus.DRAFT }), ...rest, ...facts }, nowMs);
  return found.map(({ text, href }) => `${text} → ${href.replace(PATH, "")}`);
}

describe("a draft", () => {
  const draft = (presentation?: PresentationInit) => saleOf({ status: SaleStatus.DRAFT }, presentation);

  it("wants an application first", () => {
    expect(steps({ applications: [] })).toEqual(["Add an application → /applications/new"]);
  });

  it("wants all that its application lacks, of the one that lacks least", () => {
    const other = application(["redirect_uri", "square_logo", "wide_logo"], [], SALE);
    const nearest = application(["redirect_uri", "wide_logo"]);
    expect(steps({ applications: [other, nearest] })).toEqual([
      `Add a redirect URI → /applications/${CLIENT}#redirect-uris`,
      `Upload a wide logo → /applications/${CLIENT}#logos`,
    ]);
  });

  it("can open once nothing is missing, and not while that isn't known", () => {
    expect(steps({})).toEqual(["Open the sale… → /open"]);
    expect(steps({ applications: undefined })).toEqual([]);
  });

  it("wants the right contract, an active key and a contract that knows it", () => {
    expect(steps({ contract: "bad" })).toEqual([
      "Set the right contract → /settings#address",
      "Open it although the check doesn’t pass → /open",
    ]);
    expect(steps({ contract: "bad", applications: [application(["wide_logo"])] }).join()).not.toContain("/open");
    expect(steps({ contract: "unknown" })).toEqual(["Open the sale… → /open"]);
    expect(steps({ contract: undefined })).toEqual(["See whether it can open → "]);
    expect(
      steps({ contract: undefined, sale: saleOf({ status: SaleStatus.DRAFT }, TOLD, { case: undefined }) }),
    ).toEqual(["Open the sale… → /open"]);
    const unsigned = { ...PERMITS, hasActiveKey: false };
    expect(steps({ permits: unsigned })).toEqual(["Activate a key → /taking-part/signer"]);
    expect(steps({ permits: PERMITS, isSignerKnown: false })).toEqual([
      "Make the signer known to the contract → /taking-part/signer",
    ]);
    expect(steps({ permits: { ...unsigned, enabled: false } })).toEqual(["Open the sale… → /open"]);
    expect(steps({ permits: PERMITS, isSignerKnown: undefined })).toEqual(["Open the sale… → /open"]);
  });

  it.each<[string, Partial<SaleFacts>, string, boolean]>([
    ["nobody takes part", { permits: { ...PERMITS, enabled: false } }, "Nothing is missing.", true],
    ["there is no entities service", { hasTakingPart: false }, "Nothing is missing.", true],
    ["the entities service finds nothing", { permits: PERMITS, openingProblems: [] }, "Nothing is missing.", true],
    ["that isn’t known", { permits: PERMITS }, "Whether people can take part isn’t known now", false],
    ["the entities service is away", {}, "Whether people can take part isn’t known now", false],
    [
      "the contract isn’t known",
      { hasTakingPart: false, contract: "unknown" },
      "Whether its contract can be read isn’t",
      false,
    ],
    [
      "nothing is known",
      { contract: "unknown" },
      "Whether its contract can be read and people can take part isn’t",
      false,
    ],
  ])("says nothing is missing only where all is known: %s", (_, known, why, isKnown) => {
    const rest = { figures: null, applications: [FIT], signIns: undefined, permits: undefined, hasTakingPart: true };
    const facts = { ...rest, sale: draft(), contract: "good" as const, ...known };
    expect(nextSteps(facts, NOW_MS)[0]?.why).toContain(why);
    expect(isOpeningKnown(facts)).toBe(isKnown);
  });

  it("wants what the entities service finds, one step for each kind", () => {
    const names = [
      "identity_provider",
      "definition",
      "key",
      "signer",
      "rules",
      "contract",
      "contract",
      "of later versions",
    ];
    const openingProblems = names.map((name, number) => ({ name, text: `reason ${number}` }));
    const wanted = [
      "Ask the operator for real identity checks → /taking-part",
      "Change a setting that permits don’t allow → /settings",
      "Activate a key → /taking-part/signer",
      "Make the signer known to the contract → /taking-part/signer",
      "Change the rules of taking part → /taking-part/rules",
      "See why the contract can’t be asked about permits → /contract",
      "Look at taking part → /taking-part",
    ];
    expect(steps({ permits: PERMITS, openingProblems })).toEqual(wanted);
    // The service admits no such opening, whatever the owner knows of the contract.
    const [contract] = openingProblems.filter(({ name }) => name === "contract");
    const bad = {
      permits: PERMITS,
      contract: "bad",
      openingProblems: contract === undefined ? [] : [contract],
    } as const;
    expect(steps(bad)).toEqual(["Set the right contract → /settings#address"]);
  });

  it.each([
    ["description", "Describe the sale → /presentation#description"],
    ["website", "Link your site → /presentation#website"],
    ["contact", "Say how people reach you → /presentation#contact"],
    ["logo", "Upload a logo of the sale → /presentation#logo"],
    ["opensAtSeconds", "Say when it opens → /presentation#opens"],
    ["closesAtSeconds", "Say when it closes → /presentation#closes"],
  ] as const)("would like its %s, after all that it needs", (field, step) => {
    const { [field]: _, ...rest } = TOLD;
    expect(steps({ sale: draft(rest) })).toEqual(["Open the sale… → /open", step]);
  });

  it("would like several of them in one step", () => {
    const found = nextSteps(
      {
        sale: draft({}),
        figures: null,
        applications: [FIT],
        signIns: undefined,
        permits: undefined,
        hasTakingPart: true,
      },
      NOW_MS,
    );
    expect(found.at(-1)).toMatchObject({ text: "Tell people about the sale", href: `${PATH}/presentation` });
    expect(found.at(-1)?.why).toBe(
      "People look for a description, a link to your site, a contact, a logo, when it opens and when it closes.",
    );
  });
});

describe("an open sale", () => {
  const open = (sale: SaleInit = {}, source?: object) => ({
    sale: saleOf({ status: SaleStatus.OPEN, ...sale }, TOLD, source),
  });

  it("wants nothing while all is well", () => {
    expect(steps(open())).toEqual([]);
    expect(steps({ ...open(), permits: PERMITS, isSignerKnown: true })).toEqual([]);
  });

  it.each([
    [FeedFault.NO_INDEXER, true, "Tell the operator that nobody reads the contract → /contract"],
    [FeedFault.LATE, true, "Check the contract now → /contract"],
    [FeedFault.UNREADABLE, true, "See why the contract can’t be read → /contract"],
    [FeedFault.UNREADABLE, false, "Set the right contract → /settings#address"],
  ])("with the fault %i of its feed says what to do about it, before anything else", (fault, hasSnapshot, step) => {
    const sale = saleOf({ status: SaleStatus.OPEN, feedState: { fault }, hasSnapshot }, { ...TOLD, logo: "" });
    expect(steps({ sale })).toEqual([step, "Upload a logo of the sale → /presentation#logo"]);
  });

  it("wants its contract checked as long as nothing is known of a reading of it", () => {
    const unread = (sale: SaleInit = {}, source: object = CONTRACT) =>
      steps(open({ hasSnapshot: false, ...sale }, source));
    expect(unread()).toEqual(["Check the contract now → /contract"]);
    expect(unread({ sourceStatus: { sweep: { running: true } } })).toEqual([]);
    expect(unread({ hasSnapshot: true })).toEqual([]);
    expect(unread({}, { case: undefined })).toEqual([]);
  });

  it("says why its contract can't be read, and what is wrong with one that is read", () => {
    const why = (sale: SaleInit) => {
      const facts = { ...open(sale), figures: null, applications: [], signIns: undefined, permits: undefined };
      return nextSteps({ ...facts, hasTakingPart: true }, NOW_MS).map((step) => step.why);
    };
    expect(why({ feedState: { fault: FeedFault.UNREADABLE }, sourceStatus: { fault: "no node answers" } })).toEqual([
      "No node answers.",
    ]);
    expect(why({ sourceStatus: { warning: "the sums differ" } })).toEqual(["The sums differ."]);
  });

  it("wants a key and an application that works", () => {
    const disabled = application(["active"], ["is disabled"]);
    expect(steps({ ...open(), permits: { ...PERMITS, hasActiveKey: false }, applications: [disabled] })).toEqual([
      "Activate a key → /taking-part/signer",
      `Let users sign in again → /applications/${CLIENT}`,
    ]);
    expect(steps({ ...open(), applications: [disabled, FIT] })).toEqual([]);
  });

  it("is settled by hand once it is over, if no contract does it", () => {
    const fed = open({}, { case: undefined });
    const over = 1_900_000_000_000;
    expect(steps(fed, over)).toEqual(["Settle the sale… → /settle"]);
    expect(steps(fed, over - 1)).toEqual([]);
    expect(steps(open(), over)).toEqual([]);
    expect(steps(open({ stage: SaleStage.COMMITMENT }, { case: undefined }), over)).toEqual([]);
  });
});

describe("a sale that is over", () => {
  it("is exported, and a test sale copied", () => {
    const settled = (tenancy: Tenancy) => ({ sale: saleOf({ status: SaleStatus.SETTLED, tenancy }, {}) });
    expect(steps(settled(Tenancy.LIVE))).toEqual(["Download all commitments → /downloads"]);
    expect(steps(settled(Tenancy.TEST))).toEqual([
      "Download all commitments → /downloads",
      `Copy it as a live sale → /dashboard/new-sale?from=${SALE}`,
    ]);
  });

  it("wants nothing once it is withdrawn", () => {
    expect(steps({ sale: saleOf({ status: SaleStatus.WITHDRAWN }, {}), applications: [] })).toEqual([]);
  });
});

it("lets a role do what needs it, and what needs a lower one", () => {
  const step = { text: "", href: "", needs: Role.EDITOR, isUrgent: false };
  expect([Role.VIEWER, Role.EDITOR, Role.OWNER].map((role) => mayDo(step, role))).toEqual([false, true, true]);
});
