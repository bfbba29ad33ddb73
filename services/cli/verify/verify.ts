import { parseUuid } from "../../../common/platform/encoding/uuid.ts";
import { CannotVerify } from "../../../common/verify/compare/cannot-verify.ts";
import { publicAddress } from "../../../common/verify/shown/public-address.ts";
import { publicFigures } from "../../../common/verify/shown/public-figures.ts";
import type { Verdict } from "../../../common/verify/verdict.ts";
import { verifySale } from "../../../common/verify/verify.ts";
import type { VerifyOptions } from "../../../common/verify/verify-options.ts";
import type { CliStreams } from "../base/cli-context.ts";
import { CommandFailure, NoAnswer, UsageError } from "../base/cli-error.ts";
import type { Command, CommandInput } from "../base/command.ts";
import { failureText } from "../output/failure-text.ts";
import { paintFor } from "../output/paint.ts";
import { terminalText } from "../output/terminal-text.ts";
import { write } from "../output/write.ts";
import { addressOf, chainIdOf, nodeUrlsOf } from "./contract-options.ts";
import { ReadProgress } from "./read-progress.ts";
import { serviceFigures } from "./service-figures.ts";
import { verdictJson, verdictText } from "./verdict-output.ts";

export const verify: Command = {
  name: "verify",
  positionals: ["SALE"],
  summary: "compare a sale's figures with what its contract says",
  details: `SALE is the address of the sale's public page, such as https://tidemark.example/sales/UUID: then the public figures are compared,
and the latest commitments one by one. That needs no key: anybody may do it. Or SALE is the sale's UUID: then, for operators,
every commitment is read from the commitments service. The contract is read at the block of the figures.

The exit code is 0 if all that was compared is the same, 1 at any difference, and 2 if it couldn't be compared.`,
  options: {
    rpc: {
      type: "string",
      multiple: true,
      value: "URL",
      help: "a node of the sale's chain, best one that isn't the operator's; repeat it for nodes to ask if that one fails",
    },
    contract: {
      type: "string",
      value: "ADDRESS",
      help: "the contract that the sale must have, as you know it from elsewhere",
    },
    wallet: {
      type: "string",
      value: "ADDRESS",
      help: "also compare everything that this wallet has committed, such as yours",
    },
    program: {
      type: "string",
      value: "ADDRESS",
      help: "on Solana: the sale's program, if it isn't the reference program",
    },
    "chain-id": { type: "string", value: "NUMBER", help: "the chain that it must be on" },
    json: { type: "boolean", help: "print JSON instead of text" },
  },
  runWithoutServices(input, streams) {
    const [sale = ""] = input.positionals;
    const address = publicAddress(sale);
    if (address === undefined) {
      // Whoever mistyped a page's address has no key, and must not be asked for one.
      saleUuidOf(input);
      return undefined;
    }
    const wallet = addressOf(input, "wallet");
    return compareAndPrint(input, streams, address.origin, (signal) => publicFigures(address, signal, wallet));
  },
  async run(input, context) {
    const saleUuid = saleUuidOf(input);
    if (input.text("wallet") !== undefined)
      throw new UsageError("--wallet needs the address of the sale's public page");
    const readShown = (signal: AbortSignal) => serviceFigures(context, saleUuid, signal);
    await compareAndPrint(input, context, "the commitments service", readShown);
  },
};

/** @throws UsageError if the sale is named otherwise than by its UUID */
function saleUuidOf({ positionals: [sale = ""] }: CommandInput): string {
  const saleUuid = parseUuid(sale);
  if (saleUuid !== undefined) return saleUuid;
  throw new UsageError(
    "SALE expects the address of a sale's page, such as https://tidemark.example/sales/UUID, or a UUID",
  );
}

/**
 * Compares a sale, and prints the outcome.
 *
 * @param figures where the figures are read, for people
 * @throws CommandFailure at a difference; as `compared`
 */
async function compareAndPrint(
  input: CommandInput,
  streams: CliStreams,
  figures: string,
  readShown: VerifyOptions["readShown"],
): Promise<void> {
  const verdict = await compared(input, streams, readShown);
  const { output } = streams;
  const text = input.flag("json")
    ? JSON.stringify(verdictJson(verdict, figures), null, 2)
    : verdictText(verdict, figures, paintFor(output));
  await write(output, `${text}\n`);
  if (verdict.differences > 0) throw new CommandFailure("the figures are not those of the contract");
}

/** @throws UsageError; NoAnswer if nothing could be compared */
async function compared(
  input: CommandInput,
  { errors, signal }: CliStreams,
  readShown: VerifyOptions["readShown"],
): Promise<Verdict> {
  const [contract, program, chainId] = [addressOf(input, "contract"), addressOf(input, "program"), chainIdOf(input)];
  const nodes = nodeUrlsOf(input);
  const progress = new ReadProgress(errors);
  const onProgress = (read: bigint, all: bigint) => progress.show(read, all);
  const expected = {
    ...(contract !== undefined && { contract }),
    ...(chainId !== undefined && { chainId }),
    ...(program !== undefined && { program }),
  };
  try {
    return await verifySale({ readShown, nodes, ...expected, signal, onProgress });
  } catch (error) {
    signal.throwIfAborted();
    const reason = error instanceof CannotVerify ? terminalText(error.message) : failureText(error);
    throw new NoAnswer(`not compared: ${reason}`);
  } finally {
    await progress.end();
  }
}
