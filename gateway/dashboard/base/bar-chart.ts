import { html } from "hono/html";
import type { Html } from "../../web/pages/layout.ts";

const WIDTH = 600;
const HEIGHT = 120;
/** Share of its place that a bar takes. */
const BAR_SHARE = 0.8;

/** Returns the highest of values; 0 for none. */
export function highestOf(values: readonly bigint[]): bigint {
  let highest = 0n;
  for (const value of values) if (value > highest) highest = value;
  return highest;
}

/** Returns values as bars. The heights need no exactness: the page has the figures as a table. @param values 0 or more each */
export function barChart(title: string, values: readonly bigint[]): Html {
  const most = highestOf(values);
  return html`<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none" role="img" aria-label="${title}">${values.map(
    (value, index) => bar(value, index, { count: values.length, most }),
  )}</svg>`;
}

function bar(value: bigint, index: number, { count, most }: { readonly count: number; readonly most: bigint }): Html {
  const place = WIDTH / count;
  const height = value === 0n ? 1 : Math.max(3, Number((value * BigInt(HEIGHT)) / most));
  const x = (index * place + (place * (1 - BAR_SHARE)) / 2).toFixed(1);
  return html`<rect x="${x}" y="${HEIGHT - height}" width="${(place * BAR_SHARE).toFixed(1)}" height="${height}"></rect>`;
}
