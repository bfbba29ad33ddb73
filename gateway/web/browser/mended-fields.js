/**
 * Takes the error of a field away once the field holds something else than what was refused, and brings it back with that. What is
 * taken away keeps its place, so that nothing moves below a pointer.
 */
for (const field of document.querySelectorAll("[aria-invalid]")) watchRefused(field);

function watchRefused(field) {
  const refused = field.value;
  const described = field.getAttribute("aria-describedby") ?? "";
  const error = document.getElementById(`${field.id}-error`);
  field.addEventListener("input", () => {
    const isRefused = field.value === refused;
    const ids = described.split(" ").filter((id) => isRefused || id !== error?.id);
    setOrRemove(field, "aria-invalid", isRefused ? "true" : "");
    setOrRemove(field, "aria-describedby", ids.join(" "));
    error?.classList.toggle("mended", !isRefused);
    for (const link of document.querySelectorAll(`.summary a[href="#${CSS.escape(field.id)}"]`)) {
      link.classList.toggle("mended", !isRefused);
    }
    for (const summary of document.querySelectorAll(".summary")) {
      summary.classList.toggle("mended", isMended(summary));
    }
  });
}

/** Whether a summary says nothing that still holds. */
function isMended(summary) {
  const said = [...summary.querySelectorAll("li, p")];
  return said.every((line) => line.querySelector("a.mended") !== null);
}

function setOrRemove(element, name, value) {
  if (value === "") element.removeAttribute(name);
  else element.setAttribute(name, value);
}
