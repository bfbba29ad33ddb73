import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { alertOfToken, alertToken } from "./alert-token.ts";
import { deriveKeys } from "./derived-keys.ts";

const keys = deriveKeys(Buffer.alloc(32, 7));
const uuid = randomUUID();

it("makes a token that names the mails and that nobody else can make", () => {
  const token = alertToken(keys, uuid);
  expect(token).toMatch(/^[A-Za-z0-9_-]{43}$/);
  expect(alertOfToken(keys, token)).toBe(uuid);
  expect(alertOfToken(deriveKeys(Buffer.alloc(32, 8)), token)).toBeUndefined();
});

it.each([
  ["", "nothing"],
  ["A".repeat(43), "another UUID"],
  [alertToken(keys, uuid).slice(0, -1), "a part"],
  [`${alertToken(keys, uuid)}A`, "more"],
  [`${alertToken(keys, uuid)}=`, "padding"],
  [alertToken(keys, uuid).replace(/^./, (first) => (first === "A" ? "B" : "A")), "a changed character"],
])("takes no other token: %s", (token) => {
  expect(alertOfToken(keys, token)).toBeUndefined();
});
