import type { JsonObject } from "@bufbuild/protobuf";
import { HEIGHT_UNITS } from "../../../common/chains/heights.ts";
import { utcTime } from "../../../common/platform/encoding/utc-time.ts";
import { countText } from "../../../common/sale/words/number-text.ts";
import type { CheckOutcome, Finding } from "../../../common/verify/compare/checks.ts";
import type { Verdict } from "../../../common/verify/verdict.ts";
import { alignColumns } from "../output/align-columns.ts";
import { counted } from "../output/counted.ts";
import type { Paint } from "../output/paint.ts";
import { terminalText } from "../output/terminal-text.ts";

const WORDS: Readonly<Record<CheckOutcome["outcome"], string>> = {
  same: "same",
  differs: "DIFFERS",
  not_compared: "not compared",
};
const COVERS: Readonly<Record<Verdict["covers"], string>> = {
  all_commitments: "every commitment, and all figures",
  public_figures: "the public figures, which are of all commitments, and the latest commitments one by one",
};
type Position = Verdict["figuresAt"];

/** The outcome of a comparison, for people. @param figures where the figures were read */
export function verdictText(verdict: Verdict, figures: string, paint: Paint): string {
  const parts = [
    alignColumns(headRows(verdict, figures)),
    alignColumns(verdict.checks.map((check) => checkRow(check, paint))),
    ...remarkLines(verdict.remarks),
    ...findingLines(verdict.findings),
    conclusion(verdict, paint),
  ];
  return parts.join("\n\n");
}

function headRows(verdict: Verdict, figures: string): readonly (readonly string[])[] {
  const { saleUuid, name, state, covers, figuresAt, readAt, node = "" } = verdict;
  return [
    ["Sale", `${saleUuid}, ${terminalText(name)}`],
    ["Figures", `${terminalText(figures)}, ${terminalText(state)}, of ${positionText(verdict, figuresAt)}`],
    ...(readAt === undefined ? [] : [["Chain", `${positionText(verdict, readAt)}, read from ${node}`]]),
    ["Compared", COVERS[covers]],
  ];
}

function positionText({ source }: Verdict, { height, hash, timeSeconds }: Position): string {
  const name = HEIGHT_UNITS[source.kind];
  const time = timeSeconds === undefined ? "" : ` of ${utcTime(new Date(Number(timeSeconds) * 1_000))}`;
  return `${name} ${countText(height)}${hash === "" ? "" : ` (0x${hash})`}${time}`;
}

function checkRow({ name, outcome, detail }: CheckOutcome, paint: Paint): readonly string[] {
  const word = WORDS[outcome];
  const painted = outcome === "same" ? paint("green", word) : paint(outcome === "differs" ? "red" : "yellow", word);
  return [name, painted, terminalText(detail)];
}

function remarkLines(remarks: readonly string[]): readonly string[] {
  return remarks.length === 0 ? [] : [remarks.map((remark) => `Note: ${terminalText(remark)}`).join("\n")];
}

function findingLines(findings: readonly Finding[]): readonly string[] {
  if (findings.length === 0) return [];
  const lines = findings.map(({ check, subject, shown, chain }) => {
    // What the contract must be was named by the caller, not read from the chain.
    const label = check === "contract" ? "expected:" : "chain:   ";
    return [terminalText(subject), `  Tidemark: ${terminalText(shown)}`, `  ${label} ${terminalText(chain)}`].join(
      "\n",
    );
  });
  return [lines.join("\n")];
}

function conclusion({ differences, findings }: Verdict, paint: Paint): string {
  if (differences === 0) return paint("green", "Everything that was compared is the same.");
  const shown = findings.length < differences ? `, of which ${findings.length} are shown` : "";
  return paint("red", `NOT THE SAME: ${counted(BigInt(differences), "difference")}${shown}.`);
}

/** The outcome of a comparison, for programs. 64-bit integers are strings. @param figures where the figures were read */
export function verdictJson(verdict: Verdict, figures: string): JsonObject {
  const { saleUuid, name, state, source, covers, figuresAt, readAt, node, checks, remarks, differences } = verdict;
  return {
    same: differences === 0,
    saleUuid,
    name,
    figures: { from: figures, state, at: positionJson(figuresAt) },
    contract: {
      kind: source.kind,
      chain: source.chain,
      ...(source.chainId === undefined ? {} : { chainId: `${source.chainId}` }),
      address: source.address,
    },
    ...(readAt === undefined ? {} : { readAt: positionJson(readAt) }),
    ...(node === undefined ? {} : { node }),
    covers,
    checks: checks.map((check) => ({ ...check })),
    remarks: [...remarks],
    differences,
    findings: verdict.findings.map((finding) => ({ ...finding })),
  };
}

function positionJson({ height, hash, timeSeconds }: Position): JsonObject {
  return {
    height: `${height}`,
    ...(hash === "" ? {} : { hash: `0x${hash}` }),
    ...(timeSeconds === undefined ? {} : { timeSeconds: `${timeSeconds}` }),
  };
}
