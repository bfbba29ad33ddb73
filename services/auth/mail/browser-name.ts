/** The first that a `User-Agent` holds; those that call themselves by another's name too come before it. */
const BROWSERS: readonly (readonly [string, string])[] = [
  ["Edg", "Edge"],
  ["OPR/", "Opera"],
  ["SamsungBrowser/", "Samsung Internet"],
  ["FxiOS/", "Firefox"],
  ["Firefox/", "Firefox"],
  ["CriOS/", "Chrome"],
  ["Chrome/", "Chrome"],
  ["Safari/", "Safari"],
];

const SYSTEMS: readonly (readonly [string, string])[] = [
  ["iPhone", "an iPhone"],
  ["iPad", "an iPad"],
  ["Android", "Android"],
  ["Windows", "Windows"],
  ["CrOS", "ChromeOS"],
  ["Macintosh", "a Mac"],
  ["Linux", "Linux"],
];

/**
 * A browser in plain words, such as `Firefox on Windows`, by its `User-Agent` header. Only words of ours: whoever asks
 * for a code to somebody else's address chooses that header, and would write into the mail.
 */
export function browserName(userAgent: string): string {
  const browser = nameIn(BROWSERS, userAgent);
  const system = nameIn(SYSTEMS, userAgent);
  if (browser !== undefined && system !== undefined) return `${browser} on ${system}`;
  if (browser !== undefined) return browser;
  return system === undefined ? "an unknown browser" : `a browser on ${system}`;
}

function nameIn(names: readonly (readonly [string, string])[], userAgent: string): string | undefined {
  return names.find(([mark]) => userAgent.includes(mark))?.[1];
}
