const FORM_CONTROL = /<input\b([^>]*)>|<textarea\b([^>]*)>\n?([^<]*)<\/textarea>/g;

/** Returns the fields that a browser would send of the first form with an action, without any button. */
export function formEntries(html: string, action: string): Record<string, string> {
  const start = html.indexOf(`action="${action}"`);
  if (start === -1) throw new Error(`no form to ${action}: ${html}`);
  const form = html.slice(start, html.indexOf("</form>", start));
  const entries: Record<string, string> = {};
  for (const [, input, area, text = ""] of form.matchAll(FORM_CONTROL)) {
    const attributes = input ?? area ?? "";
    const name = attribute(attributes, "name");
    const isChoice = /type="(?:checkbox|radio)"/.test(attributes);
    if (name === "" || (isChoice && !/ checked/.test(attributes))) continue;
    entries[name] = decoded(area === undefined ? attribute(attributes, "value") : text);
  }
  return entries;
}

function attribute(attributes: string, name: string): string {
  return new RegExp(`\\b${name}="([^"]*)"`).exec(attributes)?.[1] ?? "";
}

function decoded(text: string): string {
  const characters: Readonly<Record<string, string>> = { quot: '"', amp: "&", lt: "<", gt: ">", "#39": "'" };
  return text.replace(/&(quot|amp|lt|gt|#39);/g, (_, name: string) => characters[name] ?? "");
}
