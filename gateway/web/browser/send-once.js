/**
 * Sends one form at a time: while the answer to one is on its way, the page drops a second click or another Enter. The server is safe
 * without it; but the browser would give up the first answer, with its session or the redirect to an application.
 */

/**
 * Longest wait for an answer, in milliseconds. A page that is still shown then has got a file or nothing for an answer, of which a
 * browser tells no page.
 */
const ANSWER_MS = 10_000;
/** The same for a form with `data-answer="file"`: longer than two clicks that are meant as one. */
const FILE_MS = 1_000;

/** The timer that ends the wait; undefined where nothing is on its way. */
let waiting;

addEventListener("submit", (event) => {
  // Asks for nothing by itself: a script has taken it, or it fetches a page.
  if (event.defaultPrevented || event.target.getAttribute("method") !== "post") return;
  const isFile = event.target.getAttribute("data-answer") === "file";
  if (waiting === undefined) waiting = setTimeout(allow, isFile ? FILE_MS : ANSWER_MS);
  else event.preventDefault();
});
// The page is shown again, as it was, after the way back.
addEventListener("pageshow", allow);
// The browser was stopped, or follows a link instead.
globalThis.navigation?.addEventListener("navigateerror", () => {
  if (waiting !== undefined) allow();
});

/** Lets the page send forms again, and notifies its other scripts. */
function allow() {
  clearTimeout(waiting);
  waiting = undefined;
  dispatchEvent(new Event("sendable"));
}
