import type { ContentfulStatusCode } from "hono/utils/http-status";
import { EN } from "../texts/en.ts";
import { isTranslated, type PageText } from "../texts/texts.ts";

/** A link to a page where the user can go on. */
export interface PageLink {
  readonly href: string;
  readonly text: PageText;
}

export interface PageErrorOptions {
  readonly link?: PageLink;
  readonly headers?: Readonly<Record<string, string>>;
  /** Detail for developers. */
  readonly detail?: string;
}

/** An error that is answered with a page. */
export class PageError extends Error {
  readonly status: ContentfulStatusCode;
  readonly title: PageText;
  readonly text: PageText;
  readonly options: PageErrorOptions;

  /** @param text what happened and what to do, for any user */
  constructor(status: ContentfulStatusCode, title: PageText, text: PageText, options: PageErrorOptions = {}) {
    super(typeof text === "function" ? text(EN) : text);
    this.name = "PageError";
    this.status = status;
    this.title = title;
    this.text = text;
    this.options = options;
  }

  /** Whether the page about it exists in every language. */
  get isTranslated(): boolean {
    const { link } = this.options;
    return [this.title, this.text, ...(link ? [link.text] : [])].every(isTranslated);
  }
}

export function cookiesMissing(): PageError {
  return new PageError(
    400,
    ({ error }) => error.cookiesTitle,
    ({ error }) => error.cookiesText,
  );
}
