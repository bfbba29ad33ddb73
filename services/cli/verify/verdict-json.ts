import type { JsonObject } from "@bufbuild/protobuf";
import type { Verdict } from "../../../common/verify/verdict.ts";

type Position = Verdict["figuresAt"];

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
