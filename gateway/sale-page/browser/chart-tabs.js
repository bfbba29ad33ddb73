// @ts-check

/**
 * Lets a reader choose the chart that a phone shows. All of them keep their places, so that nothing moves.
 *
 * @param {Element} charts the part of the page with all charts
 */
export function watchTabs(charts) {
  const buttons = charts.querySelectorAll("[data-tab]");
  for (const button of buttons) {
    button.addEventListener("click", () => {
      for (const each of buttons) each.setAttribute("aria-pressed", String(each === button));
      for (const chart of charts.querySelectorAll("[data-chart]")) {
        chart.toggleAttribute("data-shown", chart.getAttribute("data-chart") === button.getAttribute("data-tab"));
      }
    });
  }
}
