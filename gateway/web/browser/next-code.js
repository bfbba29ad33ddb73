/**
 * Counts down to the time from which the next code can be sent. The page says that time without it, and the server sends none before.
 */

const SECOND_MS = 1_000;

const nextCode = document.querySelector("[data-next-code]");

if (nextCode !== null) {
  keepHeight();
  countDown(performance.now() + Number(nextCode.dataset.nextCode));
}

/** Makes each text take the room of the first one, so that nothing below moves. */
function keepHeight() {
  const { offsetHeight } = nextCode.querySelector("#next-code");
  for (const line of nextCode.querySelectorAll("p")) line.style.minHeight = `${offsetHeight}px`;
}

/** Shows the rest until a time of the page's own clock, which nobody sets. The line isn't a live region: only the end is announced. */
function countDown(endsAt) {
  const words = JSON.parse(nextCode.dataset.texts);
  const line = nextCode.querySelector("#next-code");
  const button = nextCode.querySelector("button");
  const left = endsAt - performance.now();
  if (left > 0) {
    button.disabled = true;
    line.textContent = words.in.replace("{time}", restText(Math.ceil(left / SECOND_MS)));
    setTimeout(() => countDown(endsAt), left % SECOND_MS || SECOND_MS);
    return;
  }
  button.disabled = false;
  button.removeAttribute("aria-describedby");
  line.remove();
  nextCode.querySelector("[role=status]").textContent = words.now;
}

/** Returns minutes and seconds, such as `0:07`. */
function restText(seconds) {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
