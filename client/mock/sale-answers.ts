import { documentedError, fieldOf, type MockCall } from "./call.ts";
import type { JsonObject } from "./json.ts";
import { timeOf } from "./text.ts";

const DAY_MS = 86_400_000;
/** Days from today to opening and closing, by stage. */
const DAYS: Readonly<Record<string, readonly [opens: number, closes: number]>> = {
  pre_open: [2, 16],
  commitment: [-5, 9],
};
const OVER_DAYS = [-15, -1] as const;

/** Returns whether the sale is over. */
export function isSettled({ states }: Pick<MockCall, "states">): boolean {
  const status = states.get("Status") ?? (states.get("Stage") === "done" ? "settled" : "open");
  return status === "settled";
}

/** Returns whether a bid would be taken. */
export function takesBids({ states }: Pick<MockCall, "states">): boolean {
  return !isSettled({ states }) && ["pre_open", "commitment"].includes(states.get("Stage") ?? "commitment");
}

/** Returns what the sale is: `SaleEvent`. */
export function saleFacts(call: MockCall): JsonObject {
  const { document, states } = call;
  const example = document
    .named("read-sale")
    .example(200, states.get("Pricing") === "fixed" ? "fixedPrice" : "auction") as JsonObject;
  const { AsOf: _, BehindSeconds: _behind, Fault: _fault, ...facts } = example;
  return {
    ...facts,
    SaleUUID: fieldOf(call, "SaleUUID").toLowerCase(),
    ...chosen(call, ["Tenancy", "Stage"]),
    Status: isSettled(call) ? "settled" : "open",
    ...times(call),
  };
}

/** Returns `Sale`. */
export function sale(call: MockCall): JsonObject {
  return { ...saleFacts(call), ...call.figures.current(call.states) };
}

/** Returns `FeedState`. */
export function feedState(call: MockCall): JsonObject {
  const [token] = saleFacts(call)["PaymentTokens"] as readonly JsonObject[];
  const PaymentSymbol = token?.["Symbol"] ?? "";
  return { ...call.figures.current(call.states), Settled: isSettled(call), PaymentSymbol };
}

/** Returns a wallet's commitments. */
export function position(call: MockCall): JsonObject {
  const { operation, states } = call;
  const Wallet = fieldOf(call, "Wallet").replace(/^0x.*/i, (address) => address.toLowerCase());
  const reason = states.get("NotCountedReason");
  const counted = isSettled(call) ? "settled" : "counted";
  const example = operation.example(200, reason === undefined ? counted : "notCounted") as JsonObject;
  const { Commitments, ...others } = example;
  if (states.get("commitments") === "none") return { ...others, Wallet, Commitments: [] };
  const own = (Commitments as readonly JsonObject[]).map((commitment) => ({
    ...commitment,
    Amounts: (commitment["Amounts"] as readonly JsonObject[]).map((amount) => ({ ...amount, Wallet })),
    ...(reason === undefined ? chosen(call, ["ClearingOutcome"]) : { NotCountedReason: reason }),
    ...exitOf(call),
  }));
  return withoutAuction(call, { ...others, Wallet, Commitments: own.map((one) => withoutAuction(call, one)) });
}

/** Returns how a commitment leaves an auction, if a state says it. */
function exitOf({ states }: MockCall): JsonObject {
  const name = states.get("Function");
  const Standing = states.get("Standing") ?? (name === undefined ? undefined : "outbid");
  const exitCall = name === undefined ? {} : { Function: name, Arguments: ["0"] };
  return Standing === undefined ? {} : { Exit: { Standing, ...exitCall } };
}

/** Returns the example of history, or none of its points. */
export function history(call: MockCall): JsonObject {
  const example = call.operation.example(200) as JsonObject;
  if (call.states.get("commitments") === "none") return { ...example, Points: [] };
  const points = example["Points"] as readonly JsonObject[];
  return { ...example, Points: points.map((point) => withoutAuction(call, point)) };
}

/** Returns the example of demand. @throws MockError 404 at a fixed price */
export function demand(call: MockCall): JsonObject {
  if (call.states.get("Pricing") === "fixed") throw documentedError(call, 404);
  const example = call.operation.example(200) as JsonObject;
  return call.states.get("commitments") === "none" ? { ...example, Levels: [] } : example;
}

/** Returns the fields that were chosen. */
export function chosen({ states }: Pick<MockCall, "states">, names: readonly string[]): JsonObject {
  return Object.fromEntries(
    names.flatMap((name) => (states.get(name) === undefined ? [] : [[name, states.get(name) ?? ""]])),
  );
}

/** Returns an object without what only an auction has, where the sale is none. */
function withoutAuction({ states }: MockCall, object: JsonObject): JsonObject {
  if (states.get("Pricing") !== "fixed") return object;
  return Object.fromEntries(Object.entries(object).filter(([name]) => !name.startsWith("Clearing")));
}

/** Returns opening and closing times that go with the stage. */
function times({ states, figures }: MockCall): JsonObject {
  const today = Math.floor(figures.start / DAY_MS) * DAY_MS;
  const [opens, closes] = DAYS[states.get("Stage") ?? "commitment"] ?? OVER_DAYS;
  return { OpensAt: timeOf(today + opens * DAY_MS), ClosesAt: timeOf(today + closes * DAY_MS) };
}
