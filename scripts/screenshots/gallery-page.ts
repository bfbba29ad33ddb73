import { html } from "hono/html";
import type { State } from "./state.ts";

/** A picture of a state. */
export interface Picture {
  /** Name of the file, beside the gallery's page. */
  readonly file: string;
  readonly state: State;
  readonly width: number;
  readonly scheme: string;
  readonly language: string;
  /** Defects of the page: violations that axe finds, complaints of the browser, and what never came. */
  readonly problems: readonly string[];
}

const STYLE = `body { font: 1rem/1.5 system-ui, sans-serif; margin: 1.5rem; background: #eef1f2; color: #16242a; }
.row { display: flex; gap: 1rem; overflow-x: auto; align-items: flex-start; padding-bottom: 1rem; }
figure { margin: 0; flex: none; } img { display: block; width: 15rem; max-height: 40rem; object-fit: cover; object-position: top; border: 1px solid #b7c4c8; }
.wide img { width: 24rem; } .wrong { color: #9a1212; font-size: 0.8rem; max-width: 24rem; overflow-wrap: anywhere; }`;

/** Returns the page that shows all pictures at once, a row a state. */
export function galleryPage(pictures: readonly Picture[]): string {
  const states = [...new Set(pictures.map(({ state }) => state))];
  const wrong = pictures.filter(({ problems }) => problems.length > 0);
  return `${html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>States of the pages</title><style>${STYLE}</style></head>
<body><h1>States of the pages</h1>
<p>${pictures.length} pictures of ${states.length} states. Something is wrong with ${wrong.length}: it is written below each.</p>
<nav><p>${states.map(({ name }) => html`<a href="#${name}">${name}</a> `)}</p></nav>
${states.map(
  (state) => html`<section id="${state.name}"><h2>${state.name}</h2><p>${state.title}</p>
<div class="row">${pictures.filter((picture) => picture.state === state).map(figure)}</div></section>`,
)}
</body></html>`}\n`;
}

function figure({ file, state, width, scheme, language, problems }: Picture) {
  return html`<figure class="${width > 500 ? "wide" : ""}"><a href="${file}"><img src="${file}" loading="lazy" alt="${state.name}"></a>
<figcaption>${width} px, ${scheme}, ${language}${problems.map((problem) => html`<p class="wrong">${problem}</p>`)}</figcaption></figure>`;
}
