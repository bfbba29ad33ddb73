import { invalidArgument } from "../../../common/platform/errors/service-error.ts";
import { brokenNameRules } from "../../../common/platform/names/name-rules.ts";

const MAX_CHARACTERS = 100;

/** Returns a label as it is stored: without the white space around it. @throws ServiceError `invalid_argument` */
export function parseLabel(label: string, kept?: string): string {
  const trimmed = label.trim();
  const broken = brokenNameRules(trimmed, { maxCharacters: MAX_CHARACTERS, kept });
  if (broken.length > 0) throw invalidArgument(broken.map((rule) => ({ field: "label", ...rule })));
  return trimmed;
}
