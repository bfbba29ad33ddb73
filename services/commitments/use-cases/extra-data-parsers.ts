import { createExtraDataParser, type ExtraDataParser } from "../domain/extra-data/extra-data.ts";

const MAX_PARSERS = 1_000;

/** Keeps the parsers of parameter lists, the least recently used one goes first. */
export function extraDataParsers(): (parameters: string) => Promise<ExtraDataParser> {
  const parsers = new Map<string, Promise<ExtraDataParser>>();
  return (parameters) => {
    const parser = parsers.get(parameters) ?? createExtraDataParser(parameters);
    parsers.delete(parameters);
    parsers.set(parameters, parser);
    const [oldest] = parsers.keys();
    if (parsers.size > MAX_PARSERS && oldest !== undefined) parsers.delete(oldest);
    return parser;
  };
}
