import type { Entity, PurchaseCheck } from "../../../client/index.ts";
import type { ActionContext } from "./action-context.ts";
import { ELIGIBILITY_TEXTS, REASON_TEXTS, SETUP_TEXTS } from "./answer-texts.ts";
import { findBid } from "./bid-actions.ts";
import { newWalletOf } from "./bidding.ts";
import { CLIENT_CODE } from "./client-code.ts";
import { perform } from "./perform-step.ts";
import { hasValidPermit, readyEntities, type Visit } from "./visits.ts";

/** Asks who takes part and, if it is clear who will bid, for the permit. */
export async function askWhoBids(visit: Visit, context: ActionContext): Promise<void> {
  delete visit.refusal;
  await askEntities(visit, context);
  const [entity, ...others] = readyEntities(visit);
  if (entity !== undefined && others.length === 0 && !hasValidPermit(visit)) await askPermit(visit, context, entity);
}

/** Asks again on behalf of a user who comes back, perhaps from the account, unless there is a permit still or they have revoked the tokens. */
export async function resume(visit: Visit, context: ActionContext): Promise<void> {
  if (!hasValidPermit(visit) && visit.isRevoked !== true) await askWhoBids(visit, context);
}

/** Asks for the permit of the entity that the user has chosen. */
export async function askChosenPermit(visit: Visit, context: ActionContext, fields: URLSearchParams): Promise<void> {
  const entity = visit.entities?.find(({ EntityID }) => EntityID === fields.get("entity"));
  if (entity !== undefined) await askPermit(visit, context, entity);
}

/** Asks for the user's entities that the application sees. */
async function askEntities(visit: Visit, { calls }: ActionContext): Promise<void> {
  const { tokens } = visit;
  if (tokens === undefined) return;
  const entities = await perform(visit, {
    title: "Ask who takes part",
    code: CLIENT_CODE.entities,
    run: (record) => calls.entities({ accessToken: tokens.access_token, record }),
    meaning: meaningOfEntities,
  });
  if (entities === undefined) delete visit.entities;
  else visit.entities = entities;
}

/** Checks whether an entity may bid now with the visit's wallet, and gets a permit, its limits and the wallet's position if it may. */
async function askPermit(visit: Visit, context: ActionContext, entity: Entity): Promise<void> {
  const { tokens } = visit;
  const { calls, bidding } = context;
  if (tokens === undefined) return;
  visit.wallet ??= await newWalletOf(bidding);
  delete visit.permit;
  delete visit.refusal;
  const { address } = visit.wallet;
  const purchase = { EntityID: entity.EntityID, PurchasingWalletAddress: address };
  const accessToken = tokens.access_token;
  const check = await perform(visit, {
    title: "Ask whether it may bid now",
    code: CLIENT_CODE.check,
    run: (record) => calls.check(purchase, { accessToken, record }),
    meaning: meaningOfCheck,
  });
  if (check === undefined) return;
  if (!check.ReadyToPurchase) {
    visit.refusal = { entity, check };
    return;
  }
  const permit = await perform(visit, {
    title: "Get a permit",
    code: CLIENT_CODE.permit,
    run: (record) => calls.permit(purchase, { accessToken, record }),
    meaning: () => "The sale’s contract accepts bids of this wallet with this permit, for ten minutes.",
  });
  if (permit === undefined) return;
  const limits = await perform(visit, {
    title: "Ask for the limits",
    code: CLIENT_CODE.limits,
    run: (record) => calls.limits(address, { accessToken, record }),
    meaning: () => "They are those of the wallet’s entity, to which the permit has bound it.",
  });
  if (limits === undefined) return;
  visit.permit = { entity, permit, limits };
  await findBid(visit, context);
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
