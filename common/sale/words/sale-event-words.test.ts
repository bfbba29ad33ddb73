import { expect, it } from "vitest";
import { SALE_EVENTS, type SaleEventName, saleEventText } from "./sale-event-words.ts";

const EVENTS = Object.keys(SALE_EVENTS) as SaleEventName[];

it.each(EVENTS)("%s names the sale in a mail, and doesn't in the sale's log or in a subject", (event) => {
  const [named, bare] = [saleEventText(event, "“$& [Pier] {sale}”"), saleEventText(event)];
  expect(named).toContain(" “$& [Pier] {sale}” ");
  expect(bare).not.toMatch(/[[\]{}]| {2}/);
  expect(named.replace(/ (?:(?:in|of) the sale )?“.*”/, "")).toBe(bare);
  expect(SALE_EVENTS[event].subject).not.toMatch(/[[\]{}“]/);
});
