// Turns the list of operations into Swagger UI, which can also send requests.
const isDark = matchMedia("(prefers-color-scheme: dark)");
const setColours = () => document.documentElement.classList.toggle("dark-mode", isDark.matches);
setColours();
isDark.addEventListener("change", setColours);

/** Signing in takes a page of a registered redirect URI, which this one isn't; a token can be pasted in. */
const withoutSignIn = { wrapComponents: { oauth2: () => () => null } };

globalThis.SwaggerUIBundle({
  url: document.querySelector("#openapi").href,
  dom_id: "#viewer",
  deepLinking: true,
  defaultModelsExpandDepth: 0,
  plugins: [withoutSignIn],
  onComplete: () => {
    document.querySelector("#listing").hidden = true;
  },
});
