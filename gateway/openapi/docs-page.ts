import { html } from "hono/html";
import type { Html } from "../web/pages/layout.ts";
import { ICON } from "../web/pages/page-assets.ts";
import { OPENAPI_PATH } from "./api-paths.ts";
import type { Json } from "./schema-parts.ts";
import type { ViewerFiles } from "./viewer-files.ts";

const FORM = "application/x-www-form-urlencoded";

/**
 * Returns the page that shows the document: an HTML list of its operations, and a button that puts Swagger UI in its
 * place. Swagger UI is loaded only then, as it keeps a browser busy for seconds.
 */
export function docsPage(document: Json, files: ViewerFiles, hasIcon: boolean): Html {
  const { viewerStyle, viewerScript, style, script } = files;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Tidemark API</title>
${hasIcon ? html`<link rel="icon" type="image/svg+xml" href="${ICON.path}">` : html`<link rel="icon" href="data:,">`}
<link id="style" rel="stylesheet" href="${style.path}">
<script defer src="${script.path}"></script>
</head>
<body>
<header class="head">
<h1>Tidemark API</h1>
<p><a id="openapi" href="${OPENAPI_PATH}">openapi.json</a>, for your tools</p>
<h2 id="viewer-title" hidden>Requests and fields</h2>
</header>
<main id="listing">
<p id="opening"><button id="open" type="button" data-style="${viewerStyle.path}" data-script="${viewerScript.path}">Try requests and see all fields</button> <span id="progress" role="status"></span></p>
${operationsOf(document).map(operation)}
</main>
<div id="viewer" tabindex="-1"></div>
</body>
</html>
`;
}

interface Operation {
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  readonly parameters: readonly Term[];
  readonly examples: readonly Example[];
  readonly answers: readonly Term[];
}

type Term = readonly [name: string, description: string];

interface Example {
  readonly title: string;
  readonly text: string;
}

function operation({ method, path, summary, description, parameters, examples, answers }: Operation): Html {
  return html`<section>
<h2><code>${method} ${path}</code></h2>
<p><strong>${summary}.</strong> ${prose(description)}</p>
${parameters.length > 0 ? details("Parameters", terms(parameters)) : ""}${examples.map(({ title, text }) =>
  details(title, html`<pre><code>${text}</code></pre>`),
)}${details("Answers", terms(answers))}
</section>`;
}

function details(title: string, content: Html): Html {
  return html`<details><summary>${title}</summary>${content}</details>`;
}

function terms(list: readonly Term[]): Html {
  return html`<dl>${list.map(([name, description]) => html`<dt><code>${name}</code></dt><dd>${prose(description)}</dd>`)}</dl>`;
}

/** Returns text in which backticks mark code, the only markup in descriptions of operations. */
function prose(text: string): readonly (string | Html)[] {
  return text.split("`").map((part, index) => (index % 2 === 0 ? part : html`<code>${part}</code>`));
}

interface DocumentedOperation {
  readonly summary: string;
  readonly description?: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Contents };
  readonly responses: Readonly<Record<string, { readonly description: string; readonly content?: Contents }>>;
}

interface Parameter {
  readonly name: string;
  readonly description: string;
}

type Contents = Readonly<Record<string, Content>>;

interface Content {
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}

interface PathItem {
  readonly parameters?: readonly Parameter[];
  readonly get?: DocumentedOperation;
  readonly post?: DocumentedOperation;
}

function operationsOf(document: Json): Operation[] {
  const paths = document["paths"] as Readonly<Record<string, PathItem>>;
  return Object.entries(paths).flatMap(([path, { parameters = [], get, post }]) => [
    ...(get === undefined ? [] : [operationOf(path, "GET", get, parameters)]),
    ...(post === undefined ? [] : [operationOf(path, "POST", post, parameters)]),
  ]);
}

function operationOf(
  path: string,
  method: string,
  { summary, description = "", parameters = [], requestBody, responses }: DocumentedOperation,
  inPath: readonly Parameter[],
): Operation {
  return {
    ...{ method, path, summary, description },
    parameters: [...inPath, ...parameters].map((parameter): Term => [parameter.name, parameter.description]),
    examples: [
      ...exampleOf("Example of a request", requestBody?.content),
      ...exampleOf("Example of an answer", responses["200"]?.content),
    ],
    answers: Object.entries(responses).map(([status, response]): Term => [status, response.description]),
  };
}

/** Returns the first example in the first media type, if there is one. */
function exampleOf(title: string, contents: Contents = {}): Example[] {
  return Object.entries(contents)
    .slice(0, 1)
    .map(([mediaType, { example, examples = {} }]) => ({
      mediaType,
      value: example ?? Object.values(examples)[0]?.value,
    }))
    .filter(({ value }) => value !== undefined)
    .map(({ mediaType, value }) => ({ title: `${title} (${mediaType})`, text: textOf(mediaType, value) }));
}

function textOf(mediaType: string, value: unknown): string {
  if (typeof value === "string") return value;
  if (mediaType === FORM) return `${new URLSearchParams(value as Record<string, string>)}`;
  return JSON.stringify(value, undefined, 2);
}
