import { Code, ConnectError } from "@connectrpc/connect";
import type { ShownPage } from "../../../gateway/testing/page-browser.ts";
import { EN } from "../../../gateway/web/texts/en.ts";

const AWAY: ReadonlySet<number> = new Set([429, 503, 504]);

/**
 * Returns a response of a gateway, unless it is a server error.
 *
 * @throws ConnectError `unavailable` for a temporary error; `internal` for any other server error
 */
export function answered<Answer extends { readonly status: number }>(answer: Answer): Answer {
  const { status } = answer;
  if (AWAY.has(status)) throw new ConnectError(`answered by ${status}`, Code.Unavailable);
  if (status >= 500) throw new ConnectError(`answered by ${JSON.stringify(answer)}`, Code.Internal);
  return answer;
}

/**
 * Returns a page, unless it shows the failure of the form before it, or that its answer was taken already: the response to that was
 * lost, and the way on begins the request again.
 *
 * @throws ConnectError as `answered`
 */
export function answeredPage(page: ShownPage): ShownPage {
  const { againText, tooOften, faultTitle } = EN.error;
  const { answeredTitle } = EN.authorization;
  if (page.html.includes(faultTitle)) throw new ConnectError(`a defect at ${page.path}: ${page.html}`, Code.Internal);
  const isAway = [againText, tooOften, answeredTitle].some((text) => page.html.includes(text));
  if (isAway) throw new ConnectError(`a failure is shown at ${page.path}`, Code.Unavailable);
  return answered(page);
}
