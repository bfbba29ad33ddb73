import type { ContentfulStatusCode } from "hono/utils/http-status";

/** A link to a page where the user can go on. */
export interface PageLink {
  readonly href: string;
  readonly text: string;
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
  readonly title: string;
  readonly options: PageErrorOptions;

  /** @param text what happened and what to do, for any user */
  constructor(status: ContentfulStatusCode, title: string, text: string, options: PageErrorOptions = {}) {
    super(text);
    this.name = "PageError";
    this.status = status;
    this.title = title;
    this.options = options;
  }
}

export function cookiesMissing(): PageError {
  return new PageError(
    400,
    "Your browser didn’t send our cookie",
    "Signing in needs a cookie. Please allow cookies for this site, go back to the application and start again.",
  );
}
