import { describe, expect, it } from "vitest";
import { laterStyles } from "./sale-styles.ts";

describe("the style sheet of what comes later", () => {
  it.each([
    ["en", 3, "Amount "],
    ["en", 4, "Price "],
    ["en", 1, "Time "],
    ["de", 3, "Betrag "],
    ["de", 4, "Preis "],
    ["de", 2, "Wallet "],
    ["de", 1, "Zeit "],
  ])("labels the figures of a narrow list in %s: %s", (language, place, label) => {
    expect(laterStyles().toString()).toContain(`:lang(${language}) #latest td:nth-child(${place}){--label:"${label}"}`);
  });
});
