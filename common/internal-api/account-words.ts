import type { Language } from "../platform/language/language.ts";

/** The words of buttons and links of the account's pages that mails quote, by language. */
export const ACCOUNT_WORDS = {
  en: { allPasskeysLost: "All passkeys lost?", stopRecovery: "Stop the recovery" },
  de: { allPasskeysLost: "Alle Passkeys verloren?", stopRecovery: "Wiederherstellung abbrechen" },
} as const satisfies Readonly<Record<Language, { readonly allPasskeysLost: string; readonly stopRecovery: string }>>;
