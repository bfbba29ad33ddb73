import { html } from "hono/html";
import { contactLine } from "../../web/pages/contact-line.ts";
import type { Html } from "../../web/pages/layout.ts";
import { monogramOf } from "../browser/monogram.js";
import { texts } from "../browser/words.js";
import { logoPath } from "../view/logo-path.ts";
import type { SaleView } from "../view/sale-view.ts";

/** Side of the logo, in pixels of the page. */
const LOGO_SIDE = 72;
/** Characters from which on a name is written smaller. */
const LONG_NAME = 60;

/** Returns what a sale is: logo, kind, status and name. */
export function aboutHead({ facts, stage, figures }: SaleView): Html {
  const { Name } = facts;
  return html`<header class="about" data-part="about">
<div class="about-head">
${logo(facts)}
<div class="about-name">
<p class="kind">${figures.clearing === undefined ? texts().about.sale : texts().about.auction} <span id="status" class="status" data-status="${stage.phase}">${stage.status}</span></p>
<h1 id="name"${Name.length > LONG_NAME && html` data-long`}><bdi>${Name}</bdi></h1>
</div>
</div>
</header>`;
}

/** Returns what the founder writes about a sale, and how people reach those who run it. */
export function aboutSection({ facts }: SaleView): Html {
  const { Description = "", Contact = "" } = facts;
  const isEmpty = Description === "" && Contact === "";
  return html`<section class="panel about-text" data-part="description" aria-labelledby="about"${isEmpty && html` hidden`}>
<h2 id="about">${texts().about.title}</h2>
${Description !== "" && description(Description)}
${contactLine(Contact, texts().about.contact)}
</section>`;
}

/**
 * Returns the logo, from the page's own host, whatever the public one is. Its box is the same for any image, and it has no text in
 * its place, as the name stands beside it.
 */
function logo(facts: SaleView["facts"]): Html {
  const path = logoPath(facts);
  if (path === undefined) return monogram(facts.Name);
  return html`<img class="logo" src="${path}" alt="" width="${LOGO_SIDE}" height="${LOGO_SIDE}">`;
}

/** Returns the initials of a name on its colour: a drawing, as the page's policy allows no style within it. */
function monogram(name: string): Html {
  const { letters, accent } = monogramOf(name);
  const middle = LOGO_SIDE / 2;
  return html`<svg class="logo" viewBox="0 0 ${LOGO_SIDE} ${LOGO_SIDE}" aria-hidden="true"><rect width="100%" height="100%" fill="${accent}"/><text x="${middle}" y="${middle}" dy=".35em" text-anchor="middle" fill="#fff" font-size="30" font-weight="700">${letters}</text></svg>`;
}

function description(text: string): Html {
  const [shown, more] = foldedText(text);
  return html`<div class="description"><p lang="" dir="auto">${shown}</p>
${more !== "" && html`<details><summary>${texts().about.readMore}</summary><p lang="" dir="auto">${more}</p></details>`}</div>`;
}

/** Characters and lines that are shown without asking for more. */
const SHOWN_CHARACTERS = 320;
const SHOWN_LINES = 5;
/** A rest that is as short as this isn't worth a click. */
const SHORT_REST = 80;

/**
 * Divides a text with line breaks into what is shown at once and the rest. It is divided between lines or words, never within
 * one, unless a word is longer than what is shown.
 */
export function foldedText(text: string): readonly [shown: string, rest: string] {
  const characters = Array.from(text);
  const lines = text.split("\n", SHOWN_LINES).join("\n");
  const head = Array.from(lines).slice(0, SHOWN_CHARACTERS).join("");
  const isWhole = head.length === text.length;
  if (isWhole || (lines === text && characters.length <= SHOWN_CHARACTERS + SHORT_REST)) return [text, ""];
  const cut = head.length === lines.length ? head : beforeLastSpace(head);
  return [cut.trimEnd(), text.slice(cut.length).trimStart()];
}

function beforeLastSpace(text: string): string {
  const [, before] = /^(.+)\s/s.exec(text) ?? [];
  return before ?? text;
}
