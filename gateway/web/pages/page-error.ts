import type { ContentfulStatusCode } from "hono/utils/http-status";
import { EN } from "../texts/en.ts";
import type { PageText } from "../texts/texts.ts";

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
    super(text(EN));
    this.name = "PageError";
    this.status = status;
    this.title = title;
    this.text = text;
    this.options = options;
  }
}

export function cookiesMissing(): PageError {
  return new PageError(
    400,
    ({ error }) => error.cookiesTitle,
    ({ error }) => error.cookiesText,
  );
}
