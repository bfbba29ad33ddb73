import { styleText } from "node:util";
import type { CliOutput } from "../base/cli-context.ts";

export type Style = "bold" | "dim" | "green" | "red" | "yellow";

/** Gives a text a style, or returns it as it is. */
export type Paint = (style: Style, text: string) => string;

/** Paints nothing: for files and programs. */
export const unpainted: Paint = (_, text) => text;

/** Returns a paint for an output: with colours on a terminal, unless `NO_COLOR` is set. */
export function paintFor(output: CliOutput): Paint {
  return (style, text) => styleText(style, text, { stream: output });
}
