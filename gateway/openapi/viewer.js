// Turns the list of operations into Swagger UI, which can also send requests.
const isDark = matchMedia("(prefers-color-scheme: dark)");
const setColours = () => document.documentElement.classList.toggle("dark-mode", isDark.matches);
setColours();
isDark.addEventListener("change", setColours);

/** Signing in would need this page to be a registered redirect URI. A token can be pasted in instead. */
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
