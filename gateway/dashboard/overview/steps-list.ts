import { html } from "hono/html";
import { Role } from "../../../proto/gen/tidemark/auth/v1/membership_service_pb.ts";
import type { Html } from "../../web/pages/layout.ts";
import { texts } from "../base/texts.ts";
import { mayDo, type NextStep } from "./next-step.ts";

/**
 * Returns steps as a list in their order; those that the reader's role doesn't allow lead nowhere.
 *
 * @param path of the page that shows the list, whose step is marked
 */
export function stepsList(steps: readonly NextStep[], role: Role, path?: string): Html {
  if (steps.length === 0) return html``;
  return html`<ol class="next">${steps.map(
    (
      step,
    ) => html`<li${isAt(step, path) && html` aria-current="step"`}><p>${stepLink(step, role)}${hereMark(step, path)}</p>
${(step.why !== undefined || !mayDo(step, role)) && html`<p class="quiet">${whyText(step, role)}</p>`}</li>`,
  )}</ol>`;
}

/** Returns a step as a link, or as text where the reader's role doesn't allow it. */
export function stepLink(step: NextStep, role: Role): Html {
  return mayDo(step, role) ? html`<a href="${step.href}">${step.text}</a>` : html`${step.text}`;
}

/** Returns the mark of a step that is done on the page at a path. */
export function hereMark(step: NextStep, path?: string): Html {
  return html`${isAt(step, path) && html` <span class="tag">${texts().checklist.here}</span>`}`;
}

function isAt({ href }: NextStep, path?: string): boolean {
  return href.split("#", 1)[0] === path;
}

function whyText(step: NextStep, role: Role): Html | string {
  if (mayDo(step, role)) return step.why ?? "";
  const { byOwner, byEditor } = texts().checklist;
  const who = step.needs === Role.OWNER ? byOwner : byEditor;
  return step.why === undefined ? who : html`${step.why} ${who}`;
}
