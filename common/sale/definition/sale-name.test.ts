import { expect, it } from "vitest";
import { checkSaleName } from "./sale-name.ts";
import { ViolationList } from "./violation-list.ts";

function check(name: string, kept?: string): string {
  const violations = new ViolationList();
  const checked = checkSaleName(name, violations, kept);
  violations.throwIfAny();
  return checked;
}

it.each([
  "Tidemark",
  "Genossenschaft Süd 2",
  "売り出し",
  "می\u200cخواهم",
  "👩\u200d💻",
  "بيع العملة",
  "🌊",
  "a".repeat(200),
  "🌊".repeat(200),
  "pump.fun",
])("takes %s", (name) => {
  expect(check(name)).toBe(name);
});

it("drops white space around it", () => {
  expect(check("Tidemark\n")).toBe("Tidemark");
  expect(check("  Tide mark ")).toBe("Tide mark");
});

it.each([
  ["nothing", "", "visible"],
  ["white space", " \u00a0", "visible"],
  ["only zero-width characters", "\u200b\u200d", "visible"],
  ["a line feed", "Tide\nmark", "control"],
  ["NUL", "Tide\0mark", "control"],
  ["BEL", "Tide\u0007mark", "control"],
  ["DEL", "Tide\u007fmark", "control"],
  ["a line separator", "Tide\u2028mark", "control"],
  ["a right-to-left override", "Tide\u202emark", "direction-changing"],
  ["a right-to-left mark", "Tide\u200fmark", "direction-changing"],
  ["a left-to-right mark", "Tide\u200emark", "direction-changing"],
  ["an Arabic letter mark", "Tide\u061cmark", "direction-changing"],
  ["an opening bracket of mark-up", "Tide<b", "<"],
  ["a closing bracket of mark-up", "Tide>mark", ">"],
  ["a scheme", "https://evil.example", "://, www., @ or /"],
  ["the host of a web site", "log in at www.evil.example", "www."],
  ["an e-mail address", "help@evil.example", "@"],
  ["a path", "evil.example/login", "/"],
  ["an isolate", "Tide\u2066mark", "direction-changing"],
  ["a Hangul filler", "Tide\u3164mark", "invisible"],
  ["a zero-width space", "Tide\u200bmark", "invisible"],
  ["a Braille blank", "Tide\u2800mark", "invisible"],
  ["half a surrogate pair", "Tide\ud83cmark", "control"],
  ["201 characters", "a".repeat(201), "200 characters"],
])("refuses %s", (_, name, message) => {
  expect(() => check(name)).toThrow(message);
  expect(() => check(name)).toThrow("definition.name");
});

it("keeps a name that is older than the rules about links and invisible characters", () => {
  expect(check("Tide\u200bmark", "Tide\u200bmark")).toBe("Tide\u200bmark");
  expect(check(" Tide/mark ", "Tide/mark")).toBe("Tide/mark");
  expect(() => check("Tide/mark 2", "Tide/mark")).toThrow("definition.name");
});
