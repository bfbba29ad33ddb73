import { expect, it } from "vitest";
import { ACCOUNT_WORDS } from "../../../common/internal-api/account-words.ts";
import { LANGUAGES } from "../../../common/platform/language/language.ts";
import { utcText } from "../../../common/platform/language/utc-text.ts";
import { copySuspectedNotice } from "../passkeys/passkey-notice.ts";
import { newRecovery } from "./recovery.ts";
import { recoveryNotice } from "./recovery-notice.ts";

const BEGUN_MS = BigInt(Date.UTC(2026, 0, 31, 12));
const NOTICES = ["begun", "reminder", "ready", "expired"] as const;

it.each(LANGUAGES.flatMap((language) => NOTICES.map((notice) => [language, notice] as const)))(
  "the mail in %s about a recovery that is %s leaves no place empty, and says times as pages do",
  (language, notice) => {
    const recovery = newRecovery({ uuid: "r", accountUuid: "a", language, byOperator: false }, BEGUN_MS);
    const { text } = recoveryNotice(notice, recovery, "https://auth.example");
    expect(text).not.toMatch(/[{}]/);
    if (notice === "expired") return;
    expect(text).toContain(utcText(new Date(notice === "ready" ? "2026-02-10T12:00Z" : "2026-02-03T12:00Z"), language));
    const button = ACCOUNT_WORDS[language].stopRecovery;
    expect(text).toContain(language === "de" ? `„${button}“` : `“${button}”`);
  },
);

it("times are written as each language writes them", () => {
  const time = new Date("2026-02-03T12:00Z");
  expect(LANGUAGES.map((language) => utcText(time, language))).toEqual([
    "3 Feb 2026, 12:00 UTC",
    "03.02.2026, 12:00 UTC",
  ]);
});

it.each(LANGUAGES)("the mail in %s about a copied passkey names the link of the account's page", (language) => {
  const { text } = copySuspectedNotice("Phone", { userAgent: "", language });
  expect(text).toContain(ACCOUNT_WORDS[language].allPasskeysLost);
  expect(text).not.toMatch(/[{}]/);
});
