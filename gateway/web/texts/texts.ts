import type { Language } from "../../../common/platform/language/language.ts";
import { DE } from "./de.ts";
import { EN, type Texts } from "./en.ts";

/** The texts of the public page and the sign-in pages, by language. */
export const TEXTS: Readonly<Record<Language, Texts>> = { en: EN, de: DE };

/** A text of ours in the reader's language. */
export type PageText = (texts: Texts) => string;
