import { html } from "hono/html";

export type Html = ReturnType<typeof html>;

/** Returns a whole page. */
export function documentOf(content: Html): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Demo application</title>
<link rel="icon" type="image/png" href="/logo.png">
<link rel="stylesheet" href="/style.css">
</head>
<body>
<header><img src="/logo.png" alt="" width="40" height="40"><a href="/">Demo application</a></header>
<main>
${content}
</main>
</body>
</html>
`;
}

/** A numbered step. */
export function card(title: string, content: Html): Html {
  return html`<section class="step"><h2>${title}</h2>
${content}
</section>`;
}

export function problemPage(problem: string): Html {
  return documentOf(html`<h1>That didn’t work</h1>
<p>${problem}</p>
<p><a class="button" href="/">Back to the start</a></p>`);
}

/** A button that sends a form without fields. */
export function actionButton(path: string, label: string, kind: "primary" | "" = ""): Html {
  return html`<form method="post" action="${path}"><button class="${kind}">${label}</button></form>`;
}
