import type { Checks } from "./compare/checks.ts";
import type { ShownSale } from "./compare/shown-sale.ts";
import type { Verdict } from "./verdict.ts";

/** A sale that was compared with its chain. */
export interface Compared extends Pick<Verdict, "readAt" | "node" | "remarks" | "figuresAt"> {
  readonly shown: ShownSale;
  readonly checks: Checks;
}
