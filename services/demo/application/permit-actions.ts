import type { Entity, PurchaseCheck } from "../../../client/index.ts";
import type { ActionContext } from "./action-context.ts";
import { ELIGIBILITY_TEXTS, REASON_TEXTS, SETUP_TEXTS } from "./answer-texts.ts";
import { newWalletOf } from "./bidding.ts";
import { CLIENT_CODE } from "./client-code.ts";
import { perform } from "./perform-step.ts";
import type { Visit } from "./visits.ts";

/** Asks for the user's entities that the application sees. */
export async function askEntities(visit: Visit, { calls }: ActionContext): Promise<void> {
  const { tokens } = visit;
  if (tokens === undefined) return;
  const entities = await perform(visit, {
    title: "Ask who takes part",
    code: CLIENT_CODE.entities,
    run: (record) => calls.entities({ accessToken: tokens.access_token, record }),
    meaning: meaningOfEntities,
  });
  if (entities !== undefined) visit.entities = entities;
}

/** Checks whether an entity may bid now with the visit's wallet, and gets a permit and its limits if it may. */
export async function askPermit(
  visit: Visit,
  { calls, bidding }: ActionContext,
  fields: URLSearchParams,
): Promise<void> {
  const { tokens } = visit;
  const entity = visit.entities?.find(({ EntityID }) => EntityID === fields.get("entity"));
  if (tokens === undefined || entity === undefined) return;
  visit.wallet ??= await newWalletOf(bidding);
  delete visit.permit;
  const { address } = visit.wallet;
  const purchase = { EntityID: entity.EntityID, PurchasingWalletAddress: address };
  const accessToken = tokens.access_token;
  const check = await perform(visit, {
    title: "Ask whether it may bid now",
    code: CLIENT_CODE.check,
    run: (record) => calls.check(purchase, { accessToken, record }),
    meaning: meaningOfCheck,
  });
  if (!check?.ReadyToPurchase) return;
  const permit = await perform(visit, {
    title: "Get a permit",
    code: CLIENT_CODE.permit,
    run: (record) => calls.permit(purchase, { accessToken, record }),
    meaning: () => "The sale’s contract accepts bids of this wallet with this permit, for ten minutes.",
  });
  const limits = await perform(visit, {
    title: "Ask for the limits",
    code: CLIENT_CODE.limits,
    run: (record) => calls.limits(address, { accessToken, record }),
    meaning: () => "They are those of the wallet’s entity, to which the permit has bound it.",
  });
  if (permit !== undefined && limits !== undefined) visit.permit = { entity, permit, limits };
}

function meaningOfEntities(entities: readonly Entity[]): string {
  if (entities.length === 0) return "The user has no entity, or lets the application see none.";
  return entities
    .map(
      (entity) =>
        `${entity.Label}: ${SETUP_TEXTS[entity.EntitySetupState].meaning} ${ELIGIBILITY_TEXTS[entity.SaleEligibility]}`,
    )
    .join(" ");
}

function meaningOfCheck({ ReadyToPurchase, FailureReason }: PurchaseCheck): string {
  if (ReadyToPurchase || FailureReason === "") return "It may bid.";
  const { meaning, advice } = REASON_TEXTS[FailureReason];
  return `${meaning} ${advice}`;
}
