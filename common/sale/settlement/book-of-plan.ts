import type { Fraction } from "../definition/fraction.ts";
import { SALE_STAGES } from "../state/stage.ts";
import { PlanError, PlanField } from "./plan-field.ts";
import { PlanPieces } from "./plan-pieces.ts";
import {
  type BookCommitment,
  type Refusal,
  refusedId,
  type SettledPricing,
  type SettlementBook,
  type SettlementInput,
  type SettlementTerms,
} from "./settlement-book.ts";
import { PLAN_FORMAT } from "./settlement-json.ts";

const ENTITY_BYTES = 16;
const COMMITMENT_BYTES = 32;

/**
 * Reads the book out of the text of a settlement plan, which names all of its inputs. What the plan says of the outcome is left out:
 * settling the book again says it. The whole text is never kept.
 *
 * @throws PlanError; SyntaxError for what isn't JSON
 */
export async function bookOfPlan(texts: AsyncIterable<string> | Iterable<string>): Promise<SettlementBook> {
  const pieces = new PlanPieces();
  const tokens = new Map<string, string>();
  const commitments: BookCommitment[] = [];
  for await (const text of texts) {
    for (const json of pieces.take(text)) {
      const field = new PlanField(JSON.parse(json), `plan.commitments[${commitments.length}]`);
      commitments.push(commitmentOf(field, tokens));
    }
  }
  const plan = new PlanField(JSON.parse(pieces.rest()));
  plan.at("format").oneOf([PLAN_FORMAT]);
  const terms = termsOf(plan.at("terms"));
  const listed = distinct(terms.paymentTokens, ({ address }) => address);
  for (const token of tokens.keys()) {
    if (!listed.has(token)) throw new PlanError(`the plan's terms have no payment token ${token}`);
  }
  const book = {
    input: inputOf(plan.at("input")),
    terms,
    refusals: plan.at("refusals").list().map(refusalOf),
    limits: plan
      .at("limits")
      .list()
      .map((limit) => ({ entityId: limit.at("entityId").hex(ENTITY_BYTES), largest: limit.at("largest").integer() })),
    commitments,
  };
  distinct(book.refusals, refusedId);
  distinct(book.limits, ({ entityId }) => entityId);
  distinct(book.commitments, ({ commitmentId }) => commitmentId);
  return book;
}

/** Returns the names of items. @throws PlanError if two have the same */
function distinct<Item>(items: readonly Item[], nameOf: (item: Item) => string): ReadonlySet<string> {
  const names = new Set<string>();
  for (const name of items.map(nameOf)) {
    if (names.has(name)) throw new PlanError(`the plan names ${name} twice`);
    names.add(name);
  }
  return names;
}

function inputOf(input: PlanField): SettlementInput {
  const stage = input.optional("stage")?.oneOf(SALE_STAGES);
  const source = input.optional("source");
  const chainId = source?.optional("chainId")?.integer();
  return {
    saleUuid: input.at("saleUuid").text(),
    generation: input.at("generation").integer(),
    revision: input.at("revision").integer(),
    status: input.at("status").oneOf(["open", "settled"]),
    ...(stage === undefined ? {} : { stage }),
    ...(source === undefined
      ? {}
      : {
          source: {
            chain: source.at("chain").text(),
            contract: source.at("contract").text(),
            height: source.at("height").integer(),
            hash: source.optional("hash")?.hex(COMMITMENT_BYTES) ?? "",
            ...(chainId === undefined ? {} : { chainId }),
          },
        }),
  };
}

function termsOf(terms: PlanField): SettlementTerms {
  return {
    pricing: pricingOf(terms.at("pricing")),
    priceTick: fractionOf(terms.at("priceTick")),
    paymentTokenDecimals: terms.at("paymentTokenDecimals").decimals(),
    paymentTokens: terms
      .at("paymentTokens")
      .list()
      .map((token) => ({
        address: token.at("address").text(),
        decimals: token.at("decimals").decimals(),
        usdStablecoin: false,
      })),
  };
}

function pricingOf(pricing: PlanField): SettledPricing {
  const kind = pricing.at("kind").oneOf(["auction", "fixed"]);
  if (kind === "fixed") {
    const offeredAmount = pricing.optional("offeredAmount")?.integer();
    const priceTicks = pricing.at("priceTicks").integer();
    return { kind, priceTicks, ...(offeredAmount === undefined ? {} : { offeredAmount }) };
  }
  const offeredAmount = positive(pricing, "offeredAmount");
  const incrementTicks = positive(pricing, "incrementTicks");
  return { kind, offeredAmount, floorTicks: pricing.at("floorTicks").integer(), incrementTicks };
}

function fractionOf(fraction: PlanField): Fraction {
  return { numerator: positive(fraction, "numerator"), denominator: positive(fraction, "denominator") };
}

function refusalOf(refusal: PlanField): Refusal {
  const reason = refusal.at("reason").text();
  const entityId = refusal.optional("entityId")?.hex(ENTITY_BYTES);
  if (entityId !== undefined) return { kind: "entity", entityId, reason };
  return { kind: "wallet", wallet: refusal.at("wallet").text(), reason };
}

/** @param tokens texts of the tokens that were read, each of which is kept once */
function commitmentOf(commitment: PlanField, tokens: Map<string, string>): BookCommitment {
  const amounts = commitment.at("amounts").list();
  return {
    commitmentId: commitment.at("commitmentId").hex(COMMITMENT_BYTES),
    entityId: commitment.at("entityId").hex(ENTITY_BYTES),
    priceTicks: commitment.at("priceTicks").integer(),
    amounts: amounts.map((amount) => {
      const text = amount.at("token").text();
      const token = tokens.get(text) ?? text;
      tokens.set(token, token);
      return { wallet: amount.at("wallet").text(), token, amount: amount.at("committed").integer() };
    }),
  };
}

/** Reads what the rule divides by. */
function positive(field: PlanField, name: string): bigint {
  const value = field.at(name).integer();
  if (value === 0n) throw new PlanError(`the plan's ${name} must be more than 0`);
  return value;
}
