import type { PageFacts } from "./page-facts.ts";

/** Path of a logo, behind the origin that its address may have. */
const LOGO_PATH = /\/logos\/[0-9a-f]+$/;

/** Returns the path of a sale's logo on this host; undefined for a sale without one. */
export function logoPath({ LogoURL = "" }: Pick<PageFacts, "LogoURL">): string | undefined {
  return LOGO_PATH.exec(LogoURL)?.[0];
}
