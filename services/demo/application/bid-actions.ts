import type { Commitment } from "../../../client/index.ts";
import type { DemoSale } from "../sales/demo-sales.ts";
import type { ActionContext } from "./action-context.ts";
import { BID_CODE, CLIENT_CODE } from "./client-code.ts";
import { perform } from "./perform-step.ts";
import type { OwnBid, Visit } from "./visits.ts";

/** Bids with the visit's permit, and waits until the bid is among the sale's public figures. */
export async function bid(visit: Visit, context: ActionContext, fields: URLSearchParams): Promise<void> {
  const { wallet, permit } = visit;
  if (wallet === undefined || permit === undefined) return;
  const placed = await perform(visit, {
    title: "Bid",
    code: BID_CODE,
    run: async (record): Promise<OwnBid> => {
      const entered = readBid(fields, context.sale);
      let confirmed = { block: 0n, confirmedAtMs: 0 };
      await wallet.bid({ ...entered, permit: permit.permit }, ({ call, hash, block }) => {
        record({ request: call, answer: `transaction ${hash}\nblock ${block}` });
        confirmed = { block, confirmedAtMs: Date.now() };
      });
      return { ...entered, ...confirmed };
    },
    meaning: ({ block }) => `The contract has verified the permit and taken the bid in block ${block}.`,
  });
  if (placed === undefined) return;
  visit.bid = placed;
  await awaitBid(visit, context, placed, wallet.address);
}

async function awaitBid(visit: Visit, context: ActionContext, placed: OwnBid, wallet: string): Promise<void> {
  await perform(visit, {
    title: "Wait until everybody sees it",
    code: CLIENT_CODE.arrival,
    run: (record) => context.calls.untilPublic(wallet, (row) => isOf(placed, row), record),
    meaning: (milliseconds) => `It was there ${Math.round(milliseconds)} ms after the chain had confirmed it.`,
  });
  await findBid(visit, context);
}

/** Reads what the wallet has committed. */
export async function findBid(visit: Visit, { calls }: ActionContext): Promise<void> {
  const { wallet } = visit;
  if (wallet === undefined) return;
  const position = await perform(visit, {
    title: "Read the wallet’s position",
    code: CLIENT_CODE.position,
    run: (record) => calls.position(wallet.address, record),
    meaning: ({ Commitments }) => (Commitments.length === 0 ? "The wallet has committed nothing." : undefined),
  });
  if (position !== undefined) visit.position = position;
}

/** Whether a row is what a bid has made of its entity's commitment. */
function isOf({ amount, priceTicks }: EnteredBid, { Amounts, PriceNumerator }: Commitment): boolean {
  const total = Amounts.reduce((sum, each) => sum + BigInt(each.Amount), 0n);
  return total === amount && PriceNumerator === String(priceTicks);
}

/** A bid as somebody has entered it. */
interface EnteredBid {
  readonly token: string;
  /** Total in smallest units. */
  readonly amount: bigint;
  readonly priceTicks: bigint;
}

const DIGITS = /^\d{1,9}$/;

/** Reads the fields of the bid's form: `token`, `amount` in whole tokens and `price` in ticks. @throws Error naming the field */
export function readBid(fields: URLSearchParams, { tokens, oneToken }: DemoSale): EnteredBid {
  const token = tokens.find((address) => address === fields.get("token"));
  if (token === undefined) throw new Error("The token isn’t one of the sale’s.");
  const amount = numberIn(fields.get("amount"), "The amount");
  return { token, amount: amount * oneToken, priceTicks: numberIn(fields.get("price"), "The price") };
}

function numberIn(text: string | null, name: string): bigint {
  if (text === null || !DIGITS.test(text)) throw new Error(`${name} must be a whole number of at most nine digits.`);
  return BigInt(text);
}
