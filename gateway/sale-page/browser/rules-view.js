// @ts-check
// Shows who may take part in the place of the link that leads there, from the page of the rules.

const link = document.querySelector("a#rules");

/** @param {HTMLAnchorElement} link */
async function showRules(link) {
  const response = await fetch(link.href);
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  const rules = page.querySelector("div#rules");
  if (!response.ok || rules === null) return;
  const title = document.createElement("h3");
  title.textContent = link.textContent;
  link.parentElement?.replaceWith(title, rules);
}

// Without the list, the link is there as before.
if (link instanceof HTMLAnchorElement) void showRules(link).catch(() => undefined);
