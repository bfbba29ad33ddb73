import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { addressOf, fileOf, GUIDE_PAGES } from "./guide.ts";
import { markdownHtml } from "./markdown.ts";

const linkTo = (target: string) => (target.startsWith("https:") ? target : undefined);
const of = (text: string) => String(markdownHtml(text, linkTo)).replaceAll("\n", "");

describe("Markdown", () => {
  it.each([
    ["# A sale", "<h1>A sale</h1>"],
    ["## What freezes, when", '<h2 id="what-freezes-when">What freezes, when</h2>'],
    ["one\ntwo\n\nthree", "<p>one two</p><p>three</p>"],
    ["- one\n  more\n- two", "<ul><li>one more</li><li>two</li></ul>"],
    ["1. one\n2. two", "<ol><li>one</li><li>two</li></ol>"],
    ["needs\n\n- a `b`;", "<p>needs</p><ul><li>a <code>b</code>;</li></ul>"],
    ["**bold `code`** and _soft_", "<p><strong>bold <code>code</code></strong> and <em>soft</em></p>"],
    ["snake_case_name", "<p>snake_case_name</p>"],
    ["[there](https://a.example/?b=1&c=2)", '<p><a href="https://a.example/?b=1&amp;c=2">there</a></p>'],
    ["[not served](operating.md)", "<p>not served</p>"],
    ["<script>alert(1)</script> & more", "<p>&lt;script&gt;alert(1)&lt;/script&gt; &amp; more</p>"],
  ])("%j", (text, expected) => {
    expect(of(text)).toBe(expected);
  });

  it("has code as it is written", () => {
    const shown = String(markdownHtml("```sh\na  <b>\n\n- c\n```\nafter", linkTo));
    expect(shown).toContain("<code>a  &lt;b&gt;\n\n- c</code></pre>");
    expect(shown).toContain("<p>after</p>");
  });

  it("has tables", () => {
    expect(of("| a | b |\n| - | -: |\n| `1` | x \\| y |")).toContain(
      '<thead><tr><th scope="col">a</th><th scope="col">b</th></tr></thead><tbody><tr><td><code>1</code></td><td>x | y</td></tr></tbody>',
    );
  });
});

describe("the guide", () => {
  it.each(Object.keys(GUIDE_PAGES))(
    "%s has no mark-up left over outside code, and its links lead somewhere",
    async (name) => {
      const text = await readFile(fileOf(name), "utf8");
      const shown = String(markdownHtml(text, addressOf));
      const prose = shown.replaceAll(/<code>[\s\S]*?<\/code>/g, "").replaceAll(/<[^>]*>/g, "");
      expect(prose).not.toMatch(/\*\*|`|\]\(|^#|\|/m);
      const anchors = [...shown.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id);
      for (const id of anchors) expect(shown).toContain(`id="${id}"`);
      expect(shown.match(/<h1>/g)).toHaveLength(1);
    },
  );

  it("links to its own pages only", () => {
    expect(addressOf("sales.md#prices")).toBe("/dashboard/guide/sales#prices");
    expect(addressOf("for-founders.md")).toBe("/dashboard/guide");
    expect(addressOf("operating.md")).toBeUndefined();
    expect(addressOf("../README.md")).toBeUndefined();
  });
});
