// @ts-check
// Waits for the first figures of a sale: its page is loaded again once they are there, and when the sale has got to another phase.

import { ServerClock } from "./clock.js";
import { offerCopying, watchCopying } from "./copying.js";
import { CountdownView } from "./countdown-view.js";
import { fetchInTime } from "./deadline.js";
import { reloadSoon } from "./reload-soon.js";
import { showTimes } from "./times-view.js";

/** Time between two questions; half to one and a half times that, so that readers don't come in waves. */
const INTERVAL_MS = 10_000;

const { api = "", sale = "{}" } = document.querySelector("main")?.dataset ?? {};
const shown = document.getElementById("status")?.dataset["status"];
const clock = new ServerClock(api);
const countdown = new CountdownView(clock, JSON.parse(sale), ({ phase }) => {
  if (phase !== shown) reloadSoon();
});

/** Asks whether there are figures, or no such sale any more. */
async function ask() {
  if (document.hidden) return;
  const url = `${api}/commitment-data`;
  const answer = await fetchInTime(url, { method: "HEAD", cache: "no-store" }).catch(() => undefined);
  if (answer?.ok || answer?.status === 404) location.reload();
}

function askLater() {
  setTimeout(() => void ask().then(askLater), INTERVAL_MS * (0.5 + Math.random()));
}

async function startCountdown() {
  await clock.refresh();
  countdown.draw();
}

document.addEventListener("visibilitychange", () => {
  if (document.hidden) return;
  void ask();
  void startCountdown();
});
const copied = document.getElementById("copied");
if (copied !== null) watchCopying(copied);
offerCopying();
showTimes();
void startCountdown();
askLater();
