import canonicalize from "canonicalize";
import { priceOfTicks } from "../figures/price.ts";
import { ascending } from "../record/ascending.ts";
import type { SettledCommitment, Settlement } from "./settle.ts";
import {
  type EntityLimit,
  type Refusal,
  refusedId,
  type SettlementInput,
  type SettlementTerms,
} from "./settlement-book.ts";

/** The name and version of the format. Another rule or another field has another version. */
export const PLAN_FORMAT = "tidemark.settlement/1";

/** Commitments that are made canonical at once. */
const TEXT_COMMITMENTS = 500;

/** The top-level member that holds the commitments. All others sort around it. */
const COMMITMENTS = "commitments";

type JsonValue = string | number | readonly JsonValue[] | { readonly [name: string]: JsonValue };

/** Yields a settlement as canonical JSON (RFC 8785), in texts of moderate size. Equal books have equal texts, byte by byte. */
export function* planTexts({ book, priceTicks, totals, commitments }: Settlement): Generator<string, void> {
  const { byToken, ...sums } = totals;
  const members: Readonly<Record<string, JsonValue>> = {
    format: PLAN_FORMAT,
    input: inputJson(book.input),
    terms: termsJson(book.terms),
    refusals: book.refusals.toSorted((one, other) => ascending(refusedKey(one), refusedKey(other))).map(refusalJson),
    limits: book.limits.toSorted((one, other) => ascending(one.entityId, other.entityId)).map(limitJson),
    price: { ticks: `${priceTicks}`, ...decimals({ ...priceOfTicks(priceTicks, book.terms.priceTick) }) },
    totals: {
      ...decimals(sums),
      byToken: byToken.map(({ token, committed, accepted }) => ({ token, ...decimals({ committed, accepted }) })),
    },
    [COMMITMENTS]: [],
  };
  let separator = "{";
  for (const name of Object.keys(members).sort()) {
    yield `${separator}${canonical(name)}:`;
    if (name === COMMITMENTS) yield* arrayTexts(commitments);
    else yield canonical(members[name] ?? "");
    separator = ",";
  }
  yield "}";
}

function* arrayTexts(commitments: readonly SettledCommitment[]): Generator<string, void> {
  yield "[";
  for (let from = 0; from < commitments.length; from += TEXT_COMMITMENTS) {
    const part = commitments.slice(from, from + TEXT_COMMITMENTS).map(commitmentJson);
    yield `${from === 0 ? "" : ","}${canonical(part).slice(1, -1)}`;
  }
  yield "]";
}

function inputJson({ saleUuid, generation, revision, status, stage, source }: SettlementInput): JsonValue {
  return {
    saleUuid,
    ...decimals({ generation, revision }),
    status,
    ...(stage === undefined ? {} : { stage }),
    ...(source === undefined
      ? {}
      : {
          source: {
            ...{ chain: source.chain, contract: source.contract, height: `${source.height}` },
            ...(source.chainId === undefined ? {} : { chainId: `${source.chainId}` }),
            ...(source.hash === "" ? {} : { hash: `0x${source.hash}` }),
          },
        }),
  };
}

function termsJson({ pricing, priceTick, paymentTokens, paymentTokenDecimals }: SettlementTerms): JsonValue {
  const { kind, ...numbers } = pricing;
  const tokens = paymentTokens.map(({ address, decimals: digits }) => ({ address, decimals: digits }));
  return {
    pricing: { kind, ...decimals(numbers) },
    priceTick: decimals({ ...priceTick }),
    paymentTokenDecimals,
    paymentTokens: tokens.sort((one, other) => ascending(one.address, other.address)),
  };
}

function refusalJson(refusal: Refusal): JsonValue {
  const { reason } = refusal;
  return refusal.kind === "entity" ? { entityId: `0x${refusal.entityId}`, reason } : { wallet: refusal.wallet, reason };
}

function limitJson({ entityId, largest }: EntityLimit): JsonValue {
  return { entityId: `0x${entityId}`, largest: `${largest}` };
}

function commitmentJson({ commitmentId, entityId, side, amounts, ...numbers }: SettledCommitment): JsonValue {
  return {
    ...{ commitmentId: `0x${commitmentId}`, entityId: `0x${entityId}`, side, ...decimals(numbers) },
    amounts: amounts.map(({ wallet, token, committed, accepted }) => {
      return { wallet, token, committed: `${committed}`, accepted: `${accepted}` };
    }),
  };
}

/** Writes each integer as a decimal text; those that are absent stay so. */
function decimals(numbers: Readonly<Record<string, bigint | undefined>>): Readonly<Record<string, string>> {
  const known = Object.entries(numbers).filter(([, number]) => number !== undefined);
  return Object.fromEntries(known.map(([name, number]) => [name, `${number}`]));
}

/** Returns a text by which refusals are sorted: entities before wallets. */
function refusedKey(refusal: Refusal): string {
  return `${refusal.kind === "entity" ? 0 : 1} ${refusedId(refusal)}`;
}

/** @throws Error for a text with a lone surrogate, which JSON can't say exactly */
function canonical(value: JsonValue): string {
  return canonicalize(value) ?? "";
}
