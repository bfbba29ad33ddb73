import { expect, it } from "vitest";
import { entityNotice } from "./notify-account.ts";

const LINK = "https://auth.example/account/entities/e";
const expiresAt = new Date("2026-02-14T10:00:00Z");

it.each([
  [
    { event: "setup_decided", label: "Alpha", approved: true, reason: "", final: false, unfinished: false },
    "Your identity check is complete",
    ["entity “Alpha” is complete."],
  ],
  [
    { event: "setup_decided", label: "Alpha", approved: false, reason: "Not legible", final: false, unfinished: false },
    "Your identity check was refused",
    ["was refused.", "The reason: “Not legible”", "You can begin again"],
  ],
  [
    { event: "setup_decided", label: "Alpha", approved: false, reason: "Forged", final: true, unfinished: false },
    "Your identity check was refused",
    ["The reason: “Forged”", "You can't begin again."],
  ],
  [
    { event: "setup_decided", label: "Alpha", approved: false, reason: "Not usable", final: false, unfinished: true },
    "Your identity check couldn't be finished",
    ["entity “Alpha” couldn't be finished.", "The reason: “Not usable”", "You can begin again in your account."],
  ],
  [
    { event: "approval_expiry", label: "Alpha", expiresAt, expired: false },
    "Your identity check ends soon",
    ["ends on 14 Feb 2026, 10:00 UTC."],
  ],
  [
    { event: "approval_expiry", label: "Alpha", expiresAt, expired: true },
    "Your identity check has ended",
    ["ended on 14 Feb 2026, 10:00 UTC."],
  ],
] as const)("writes the mail of %o", (notice, subject, parts) => {
  const mail = entityNotice(notice, LINK);
  expect(mail.subject).toBe(subject);
  for (const part of [...parts, "https://auth.example/account"]) expect(mail.text).toContain(part);
});

it("shows names and reasons of others as quotations without links or mark-up", () => {
  const evil = 'Log in” at https://evil.example/\r\nBcc: x@evil.example <a href="//evil.example">';
  const { subject, text, html } = entityNotice(
    { event: "setup_decided", label: evil, approved: false, reason: evil, final: true, unfinished: false },
    LINK,
  );
  expect(subject).not.toContain("evil");
  expect(text).not.toMatch(/:\/\/evil|@evil|\nBcc/);
  expect(html).not.toContain('<a href="//evil');
});
