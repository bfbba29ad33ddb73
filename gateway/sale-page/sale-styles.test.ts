import { describe, expect, it } from "vitest";
import { saleStyles } from "./sale-styles.ts";

describe("the style sheet of public pages", () => {
  it.each([
    ["en", "amount", "Amount "],
    ["en", "price", "Price "],
    ["en", "time", "Time "],
    ["de", "amount", "Betrag "],
    ["de", "price", "Preis "],
    ["de", "wallet", "Wallet "],
    ["de", "time", "Zeit "],
  ])("labels the figures of a narrow list in %s: %s", (language, name, label) => {
    expect(saleStyles().toString()).toContain(`:lang(${language}) #latest td.${name}{--label:"${label}"}`);
  });
});
