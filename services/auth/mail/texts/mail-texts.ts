import { DEFAULT_LANGUAGE, knownLanguage, type Language } from "../../../../common/platform/language/language.ts";
import { DE } from "./de.ts";
import { EN, type MailTexts } from "./en.ts";

/** The texts of mails to the person who asked for them, by language. */
export const MAIL_TEXTS = { en: EN, de: DE } as const satisfies Readonly<Record<Language, MailTexts>>;

/** Returns the language of a mail for what `Peer.language` says: the default one for none, and for one that is not known here. */
export function mailLanguage(tag: string | undefined): Language {
  return knownLanguage(tag) ?? DEFAULT_LANGUAGE;
}
