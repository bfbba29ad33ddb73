import type { ListProgress } from "../../../common/internal-api/send-list.ts";
import { grouped } from "../output/grouped-digits.ts";
import { plainText } from "../output/plain-text.ts";

/** `1,000 lines: 990 changes, 8 as they were, 2 refused`. */
export function summaryText({ lines, stored, unchanged, refused }: ListProgress): string {
  const parts = [
    `${count(stored)} ${stored === 1 ? "change" : "changes"}`,
    `${count(unchanged)} as they were`,
    `${count(refused)} refused`,
  ];
  return `${count(lines)} ${lines === 1 ? "line" : "lines"}: ${parts.join(", ")}`;
}

/** The lines that were refused, as many as are known, each with its reason. */
export function problemsText(path: string, { problems, refused }: ListProgress): string {
  const texts = problems.map(
    ({ line, field, problem }) => `${path}: line ${line}: ${field === "" ? "" : `${field}: `}${plainText(problem)}`,
  );
  const more = refused - problems.length;
  return [...texts, ...(more > 0 ? [`and ${count(more)} more`] : [])].join("\n");
}

function count(number: number): string {
  return grouped(BigInt(number));
}
