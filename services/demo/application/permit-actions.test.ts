import { expect, it } from "vitest";
import { type Entity, TidemarkError } from "../../../client/index.ts";
import { AUCTION } from "../sales/demo-sales.ts";
import type { ActionContext } from "./action-context.ts";
import { bidPanel } from "./bid-panel.ts";
import { askChosenPermit, askWhoBids, resume } from "./permit-actions.ts";
import type { SaleCalls } from "./sale-calls.ts";
import type { Visit } from "./visits.ts";

const SOON = Date.now() / 1_000 + 600;

function entity(Label: string, changes: Partial<Entity> = {}): Entity {
  const ready = { EntitySetupState: "complete", SaleEligibility: "eligible" } as const;
  return { EntityID: Label, Label, EntityType: "user", ...ready, ...changes } as Entity;
}

const WAITING = { EntitySetupState: "in-review", SaleEligibility: "unknown-setup-incomplete" } as const;
const SCOPE_MISSING = new TidemarkError("permission_denied", "this requires the scope read_entities");

/** A context whose service knows entities. `asked` has the calls by name. */
function contextWith(entities: readonly Entity[] | Error, refusal: object = {}) {
  const asked: string[] = [];
  const answer = (name: string, result: unknown) => async () => {
    asked.push(name);
    if (result instanceof Error) throw result;
    return result;
  };
  const permit = { PermitJSON: { ExpiresAt: SOON, MinPrice: 100 }, Signature: "0x" };
  const calls = {
    entities: answer("entities", entities),
    check: answer("check", { ReadyToPurchase: true, FailureReason: "", LivenessCheckURL: "", ...refusal }),
    permit: answer("permit", permit),
    limits: answer("limits", { MinCommitmentAmount: "10000000", MaxCommitmentAmount: "25000000000" }),
    position: answer("position", { Commitments: [], ClearingPriceNumerator: "395" }),
  } as unknown as SaleCalls;
  const newWallet = async () => ({ address: "0xAB", bid: async () => undefined });
  const context = { calls, bidding: { newWallet }, sale: AUCTION } as unknown as ActionContext;
  return { context, asked };
}

const signedIn = (): Visit => ({ steps: [], tokens: { access_token: "access" } as never });

function panelOf(visit: Visit, { bidding }: ActionContext): string {
  const options = { issuer: "https://tidemark.example", livePage: "", sale: AUCTION, bidding };
  return String(bidPanel(visit, options));
}

it("gets the permit of the only one who can bid, and offers a price that is in", async () => {
  const { context, asked } = contextWith([entity("Myself"), entity("Harbour GmbH", WAITING)]);
  const visit = signedIn();
  await askWhoBids(visit, context);
  expect(asked).toEqual(["entities", "check", "permit", "limits", "position"]);
  const panel = panelOf(visit, context);
  expect(panel).toContain("For <b>Myself</b>: 10 to 25000 dollars");
  expect(panel).toContain('name="price" value="400"');
  expect(panel).toContain('name="amount" value=""');
  expect(panel).toContain("The clearing price is 395 ticks now.");
});

it("lets the user choose where several can bid", async () => {
  const { context, asked } = contextWith([entity("Myself"), entity("Harbour GmbH")]);
  const visit = signedIn();
  await askWhoBids(visit, context);
  expect(asked).toEqual(["entities"]);
  expect(panelOf(visit, context)).toContain("Several can bid: choose one.");
  await askChosenPermit(visit, context, new URLSearchParams({ entity: "Harbour GmbH" }));
  expect(panelOf(visit, context)).toContain("For <b>Harbour GmbH</b>");
});

it("asks again when the user comes back, and not while there is a valid permit", async () => {
  const visit = signedIn();
  const before = contextWith([entity("Myself", WAITING)]);
  await resume(visit, before.context);
  expect(panelOf(visit, before.context)).toContain("None can bid yet.");
  const { context, asked } = contextWith([entity("Myself")]);
  await resume(visit, context);
  expect(panelOf(visit, context)).toContain("For <b>Myself</b>");
  const count = asked.length;
  await resume(visit, context);
  expect(asked).toHaveLength(count);
  Object.assign(visit.permit?.permit.PermitJSON ?? {}, { ExpiresAt: 1 });
  await resume(visit, context);
  expect(asked).toHaveLength(2 * count);
});

it("asks nothing for somebody who hasn't signed in, or has had the tokens revoked", async () => {
  const { context, asked } = contextWith([entity("Myself")]);
  await resume({ steps: [] }, context);
  await resume({ ...signedIn(), isRevoked: true }, context);
  expect(asked).toEqual([]);
});

it.each([
  [
    "requires-liveness",
    "The sale wants the person to prove to be present.",
    "https://tidemark.example/account/liveness",
  ],
  ["max-wallets-used", "The entity has used as many wallets as the sale allows.", ""],
] as const)("says why there is no permit: %s", async (FailureReason, text, LivenessCheckURL) => {
  const { context, asked } = contextWith([entity("Myself")], {
    ReadyToPurchase: false,
    FailureReason,
    LivenessCheckURL,
  });
  const visit = signedIn();
  await askWhoBids(visit, context);
  expect(asked).toEqual(["entities", "check"]);
  const panel = panelOf(visit, context);
  expect(panel).toContain(`<b>No permit for Myself.</b> ${text}`);
  expect(panel.includes(`href="${LivenessCheckURL}">Prove at Tidemark`)).toBe(LivenessCheckURL !== "");
});

it.each([
  ["nobody is seen", [], "Add yourself at Tidemark</a>"],
  ["the user doesn't let the application see who takes part", SCOPE_MISSING, "start again and allow it"],
])("says how to go on where %s", async (_, entities, text) => {
  const { context } = contextWith(entities);
  const visit = signedIn();
  await askWhoBids(visit, context);
  expect(panelOf(visit, context)).toContain(text);
});
