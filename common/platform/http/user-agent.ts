const BROWSERS: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/\bEdgA?(?:iOS)?\//, "Edge"],
  [/\b(?:OPR|OPT)\//, "Opera"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\b(?:Firefox|FxiOS)\//, "Firefox"],
  [/\b(?:Chrome|CriOS|HeadlessChrome)\//, "Chrome"],
  [/\bSafari\//, "Safari"],
];
const SYSTEMS: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/\biPhone\b/, "iPhone"],
  [/\biPad\b/, "iPad"],
  [/\bAndroid\b/, "Android"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bMac OS X\b/, "macOS"],
  [/\bWindows\b/, "Windows"],
  [/\bLinux\b/, "Linux"],
];

/** The common names of a browser and its operating system. */
export interface UserAgent {
  readonly browser: string | undefined;
  readonly system: string | undefined;
}

/**
 * The browser and the operating system that a `User-Agent` header names. Only names from our own lists: the sender
 * chooses the header's content, and other people read the result.
 */
export function parseUserAgent(userAgent: string): UserAgent {
  return { browser: nameIn(BROWSERS, userAgent), system: nameIn(SYSTEMS, userAgent) };
}

/** The first name whose pattern matches. A browser whose header also names another one is listed before that one. */
function nameIn(names: readonly (readonly [RegExp, string])[], userAgent: string): string | undefined {
  return names.find(([pattern]) => pattern.test(userAgent))?.[1];
}
