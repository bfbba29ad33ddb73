import type { Answer } from "./answer.ts";
import type { JsonObject } from "./json.ts";
import type { StateField, StateFields, States } from "./states.ts";

/** The page where states are chosen, and the paths of the mock's own. */
export const CONTROL_PATHS = { page: "/mock", states: "/mock/states", token: "/mock/token" } as const;

/** Returns the chosen states, with all that can be chosen. */
export function statesAnswer(states: States, fields: StateFields): Answer {
  const possible = fields.all.map(({ name, meaning, values, range }): JsonObject => {
    const [smallest, largest] = range ?? [];
    return {
      name,
      meaning,
      ...(values === undefined ? { smallest: smallest ?? 0, largest: largest ?? 0 } : { values }),
    };
  });
  return { status: 200, headers: {}, body: { states: Object.fromEntries(states), possible } };
}

/** Returns the page with a field for each state. It needs no script. */
export function controlPage(states: States, fields: StateFields): Answer {
  const [ofOneCall, ofAll] = [true, false].map((isOne) =>
    fields.all.filter(({ name }) => name.includes(".") === isOne),
  );
  const body = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>States of the mock</title><style>${STYLE}</style></head><body><main>
<h1>States of the mock</h1>
<p>A state that isn't chosen is as the API's examples are. Open streams follow at once.</p>
<form method="post" action="${CONTROL_PATHS.states}">${tableOf(ofAll ?? [], states)}
<details><summary>Status and delay of one call</summary>${tableOf(ofOneCall ?? [], states)}</details>
<p><button>Choose</button></p></form></main></body></html>`;
  return { status: 200, headers: {}, body };
}

const STYLE = `:root{color-scheme:light dark}body{font:1rem/1.4 system-ui;margin:1rem auto;max-width:60rem;padding:0 1rem}
th{text-align:left;font-weight:600}td,th{padding:.2rem .5rem;vertical-align:top}button,input,select{font:inherit}
@media(max-width:40rem){tr,td,th{display:block}tr{margin-bottom:.8rem}}`;

function tableOf(fields: readonly StateField[], states: States): string {
  const rows = fields.map((field) => {
    const label = `<th scope="row"><label for="${escaped(field.name)}">${escaped(field.name)}</label></th>`;
    return `<tr>${label}<td>${input(field, states.get(field.name) ?? "")}</td><td>${escaped(field.meaning)}</td></tr>`;
  });
  return `<table>${rows.join("")}</table>`;
}

function input({ name, values, range }: StateField, value: string): string {
  const attributes = `id="${escaped(name)}" name="${escaped(name)}"`;
  if (range !== undefined) {
    return `<input ${attributes} type="number" min="${range[0]}" max="${range[1]}" value="${escaped(value)}">`;
  }
  const options = ["", ...(values ?? [])].map(
    (one) => `<option${one === value ? " selected" : ""}>${escaped(one)}</option>`,
  );
  return `<select ${attributes}>${options.join("")}</select>`;
}

/** Returns text for HTML and for attributes in quotes. */
export function escaped(text: string): string {
  const names: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
  return text.replaceAll(/[&<>"]/g, (character) => names[character] ?? "");
}
