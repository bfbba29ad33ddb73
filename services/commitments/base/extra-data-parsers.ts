import { LRUCache } from "lru-cache";
import { atMost } from "../../../common/platform/cache/at-most.ts";
import { createExtraDataParser, type ExtraDataParser } from "../../../common/sale/figures/extra-data.ts";

const MAX_PARSERS = 1_000;

/** Makes a cache of the parsers of parameter lists. The returned function never rejects. */
export function extraDataParsers(): (parameters: string) => Promise<ExtraDataParser> {
  const parsers = new LRUCache<string, Promise<ExtraDataParser>>(atMost(MAX_PARSERS));
  return (parameters) => {
    const cached = parsers.get(parameters);
    if (cached !== undefined) return cached;
    const parser = createExtraDataParser(parameters);
    parsers.set(parameters, parser);
    return parser;
  };
}
