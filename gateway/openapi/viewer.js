// Puts Swagger UI, which can also send requests, in the place of the list of operations when someone asks for it.
const button = document.querySelector("#open");
const progress = document.querySelector("#progress");
const viewer = document.querySelector("#viewer");
const isDark = matchMedia("(prefers-color-scheme: dark)");
const setColours = () => document.documentElement.classList.toggle("dark-mode", isDark.matches);
setColours();
isDark.addEventListener("change", setColours);

/** Names of fields for which Swagger UI shows none. */
const NAMES = {
  "#servers": "Server",
  ".examples-select-element": "Example",
  ".content-type-wrapper select, .response-control-media-type select": "Media type",
  ".body-param__text": "Request body",
};

/** Names of what Swagger UI leaves outside of any landmark. */
const REGIONS = { ".information-container": "About the API", ".scheme-container": "Server and access" };

/** Repairs what Swagger UI renders and no option of it changes. */
function repair() {
  for (const [selector, name] of Object.entries(NAMES)) {
    for (const field of viewer.querySelectorAll(selector)) field.setAttribute("aria-label", name);
  }
  for (const [selector, name] of Object.entries(REGIONS)) {
    const region = viewer.querySelector(selector);
    region?.setAttribute("role", "region");
    region?.setAttribute("aria-label", name);
  }
  // Code that scrolls sideways is reached by keyboard.
  for (const code of viewer.querySelectorAll("pre.microlight")) code.tabIndex = 0;
  // A table is none with the role of a region, and a region has a name.
  for (const table of viewer.querySelectorAll("table[role]")) table.removeAttribute("role");
}

const ADJUSTMENTS = {
  wrapComponents: {
    // Signing in would need this page to be a registered redirect URI. A token can be pasted in instead.
    oauth2: () => () => null,
    // Links inside the buttons that open operations, to which the button leads as well.
    DeepLink:
      (_, { React }) =>
      ({ text }) =>
        React.createElement("span", null, text),
  },
};

function show() {
  new MutationObserver(repair).observe(viewer, { childList: true, subtree: true });
  globalThis.SwaggerUIBundle({
    url: document.querySelector("#openapi").href,
    domNode: viewer,
    deepLinking: true,
    defaultModelsExpandDepth: 0,
    syntaxHighlight: { activated: false },
    plugins: [ADJUSTMENTS],
    onComplete: () => {
      document.querySelector("#listing").hidden = true;
      document.querySelector("#viewer-title").hidden = false;
      viewer.focus({ preventScroll: true });
    },
  });
}

function load() {
  button.disabled = true;
  progress.textContent = "Loading…";
  const style = Object.assign(document.createElement("link"), { rel: "stylesheet", href: button.dataset.style });
  // Before the page's own, which change some of them.
  document.querySelector("#style").before(style);
  const script = Object.assign(document.createElement("script"), { src: button.dataset.script, onload: show });
  script.addEventListener("error", () => {
    button.disabled = false;
    progress.textContent = "It couldn't be loaded. Please try again.";
  });
  document.head.append(script);
}

button.addEventListener("click", load);
// A link to an operation in Swagger UI.
if (location.hash.startsWith("#/")) load();
