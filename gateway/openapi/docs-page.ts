import { html } from "hono/html";
import type { Html } from "../web/pages/layout.ts";
import { ICON } from "../web/pages/page-assets.ts";
import { OPENAPI_PATH } from "./api-paths.ts";
import type { Json } from "./schema-parts.ts";
import type { ViewerFiles } from "./viewer-files.ts";

/**
 * Returns the page that shows the document: an HTML list of its operations, which Swagger UI replaces where scripts
 * run.
 */
export function docsPage(document: Json, { styles, scripts }: ViewerFiles, hasIcon: boolean): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Tidemark API</title>
${hasIcon ? html`<link rel="icon" type="image/svg+xml" href="${ICON.path}">` : html`<link rel="icon" href="data:,">`}
${styles.map(({ path }) => html`<link rel="stylesheet" href="${path}">`)}
${scripts.map(({ path }) => html`<script defer src="${path}"></script>`)}
</head>
<body>
<header class="head">
<h1>Tidemark API</h1>
<p><a id="openapi" href="${OPENAPI_PATH}">openapi.json</a>, for your tools</p>
</header>
<main id="listing">${operationsOf(document).map(operation)}</main>
<div id="viewer"></div>
</body>
</html>
`;
}

interface Operation {
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  readonly answers: readonly (readonly [status: string, description: string])[];
}

function operation({ method, path, summary, description, answers }: Operation): Html {
  return html`<section>
<h2><code>${method} ${path}</code></h2>
<p><strong>${summary}.</strong> ${prose(description)}</p>
<dl>${answers.map(([status, description]) => html`<dt>${status}</dt><dd>${prose(description)}</dd>`)}</dl>
</section>`;
}

/** Returns text in which backticks mark code, the only markup in descriptions of operations. */
function prose(text: string): readonly (string | Html)[] {
  return text.split("`").map((part, index) => (index % 2 === 0 ? part : html`<code>${part}</code>`));
}

interface DocumentedOperation {
  readonly summary: string;
  readonly description?: string;
  readonly responses: Readonly<Record<string, { readonly description: string }>>;
}

const METHODS = ["get", "post"];

function operationsOf(document: Json): Operation[] {
  const paths = document["paths"] as Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>;
  return Object.entries(paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = item[method];
      return operation === undefined ? [] : [operationOf(path, method, operation)];
    }),
  );
}

function operationOf(
  path: string,
  method: string,
  { summary, description = "", responses }: DocumentedOperation,
): Operation {
  const answers = Object.entries(responses).map(([status, response]) => [status, response.description] as const);
  return { method: method.toUpperCase(), path, summary, description, answers };
}
