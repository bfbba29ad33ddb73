import { html } from "hono/html";
import { obstacleName } from "../../../common/sale/words/obstacle-words.ts";
import type { Html } from "../../web/pages/layout.ts";
import { englishText } from "./form-errors.ts";
import { texts } from "./texts.ts";

/** Returns the reasons why an application can't sign users in, as a continuation of "it". */
export function obstaclesText(obstacles: readonly string[]): Html {
  return html`${obstacles.map((obstacle, index) => html`${index > 0 && ", "}${obstacleText(obstacle)}`)}`;
}

/** Returns an obstacle in the page's language; one that only a later auth service knows, in its English. */
function obstacleText(obstacle: string): Html | string {
  const name = obstacleName(obstacle);
  return name === undefined ? englishText(obstacle) : texts().obstacle[name];
}
