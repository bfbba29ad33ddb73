import { CompiledQuery } from "kysely";
import { deleteByKeys } from "../../shared/db/by-keys.ts";
import type { SqlDialect } from "../../shared/db/dialect.ts";
import { upsertStatement } from "../../shared/db/upsert.ts";
import { bytesOfHex, hexOfBytes } from "../../shared/hex.ts";
import type { Standing } from "../domain/standing.ts";
import { highestTick, type TickNode } from "../domain/tick-node.ts";
import {
  LEAF_LEVEL,
  levelOf,
  lowestTickOf,
  type NodeKey,
  type NodeSum,
  nodeKey,
  parentOf,
  plus,
  ROOT_KEY,
  ROOT_LEVEL,
  type TickChanges,
} from "../domain/tick-tree.ts";
import { inBatches } from "./batches.ts";
import { bigintOf } from "./encoding.ts";
import type { Tx } from "./sale-rows.ts";
import type { Int64 } from "./schema.ts";

const NODE_TARGET = { table: "tick_node", keys: ["sale", "standing", "node"], values: ["amount", "commitments"] };
const EMPTY: NodeSum = { amount: 0n, commitments: 0n };

/** Nodes of a sale to be read, of each of the standings. */
export interface NodeSelection {
  readonly standings: readonly Standing[];
  readonly keys: readonly NodeKey[];
  /** Those below these nodes, one level down. */
  readonly childrenOf: readonly NodeKey[];
}

interface NodeRow {
  readonly standing: Int64;
  readonly node: Uint8Array;
  readonly amount: string;
  readonly commitments: Int64;
}

/** The root, and all that a descent to `tick` asks for: the clearing price seldom moves far. */
export function pathTo(tick: bigint): Pick<NodeSelection, "keys" | "childrenOf"> {
  return {
    keys: [ROOT_KEY],
    childrenOf: Array.from({ length: LEAF_LEVEL }, (_, level) => nodeKey(level, tick)),
  };
}

/** The nodes above ticks, and those of the ticks themselves. */
export function nodesAbove(ticks: Iterable<bigint>): readonly NodeKey[] {
  const keys = new Set<NodeKey>([ROOT_KEY]);
  for (const tick of ticks) {
    for (let level = LEAF_LEVEL; level > ROOT_LEVEL; level--) keys.add(nodeKey(level, tick));
  }
  return [...keys];
}

/** One statement that reads nodes, for `SaleNodes.note`. */
export function selectNodes(
  dialect: SqlDialect,
  saleUuid: string,
  { standings, keys, childrenOf }: NodeSelection,
): CompiledQuery {
  const parameters: unknown[] = [];
  const list = (values: readonly unknown[]) => {
    const bound = dialect.valuesOf([values]);
    parameters.push(...bound.parameters);
    return bound.text;
  };
  const isSale = `sale in ${list([bytesOfHex(saleUuid)])} and standing in ${list(standings)}`;
  const conditions = keys.length === 0 ? [] : [`node in ${list(keys.map(bytesOfHex))}`];
  for (const parent of childrenOf) {
    const [first, last] = childrenOfNode(parent);
    conditions.push(`node between ${list([bytesOfHex(first)])} and ${list([bytesOfHex(last)])}`);
  }
  const text = `select standing, node, amount, commitments from tick_node where ${isSale} and (${conditions.join(" or ")})`;
  return CompiledQuery.raw(text, parameters);
}

/** Adds up what `selectNodes` has found. */
export function sumOfNodes(rows: readonly unknown[]): NodeSum {
  return (rows as readonly NodeRow[]).map(sumOfRow).reduce(plus, EMPTY);
}

export function sumOfRow({ amount, commitments }: Pick<NodeRow, "amount" | "commitments">): NodeSum {
  return { amount: BigInt(amount), commitments: bigintOf(commitments) };
}

function childrenOfNode(parent: NodeKey): readonly [NodeKey, NodeKey] {
  const level = levelOf(parent);
  const lowestTick = lowestTickOf(parent);
  return [nodeKey(level + 1, lowestTick), nodeKey(level + 1, highestTick({ level, lowestTick }))];
}

/**
 * The sums by price of a sale that is locked: as they are stored, as far as they were read, with what has been added to
 * them since. What wasn't read is read when it is asked for.
 */
export class SaleNodes {
  readonly #dialect: SqlDialect;
  readonly #transaction: Tx;
  readonly #saleUuid: string;
  readonly #sums = new Map<Standing, Map<NodeKey, NodeSum>>();
  /** Of each standing the keys that were read, and with a `/` those whose children were. */
  readonly #read = new Map<Standing, Set<string>>();

  constructor(dialect: SqlDialect, transaction: Tx, saleUuid: string) {
    this.#dialect = dialect;
    this.#transaction = transaction;
    this.#saleUuid = saleUuid;
  }

  /** Takes note of what `selectNodes` has found, in this transaction and before anything was added. */
  note({ standings, keys, childrenOf }: NodeSelection, rows: readonly unknown[]): void {
    for (const standing of standings) {
      const read = entryOf(this.#read, standing, () => new Set<string>());
      for (const key of keys) read.add(key);
      for (const parent of childrenOf) read.add(`${parent}/`);
    }
    for (const row of rows as readonly NodeRow[]) {
      const sums = this.#sumsOf(bigintOf(row.standing));
      const key = hexOfBytes(row.node);
      // One that was read before may have been changed since.
      if (!sums.has(key)) sums.set(key, sumOfRow(row));
    }
  }

  /** Adds changes. @returns the statements that store them */
  async add(changes: TickChanges): Promise<readonly CompiledQuery[]> {
    const statements: CompiledQuery[] = [];
    for (const [standing, added] of changes.byStanding()) {
      await this.#require([standing], [...added.keys()], []);
      const sums = this.#sumsOf(standing);
      for (const [key, change] of added) sums.set(key, plus(sums.get(key), change));
      for (const keys of inBatches([...added.keys()])) statements.push(...this.#store(standing, keys));
    }
    return statements;
  }

  /** Total (normalised) and number of the commitments of standings. */
  async total(standings: readonly Standing[]): Promise<NodeSum> {
    await this.#require(standings, [ROOT_KEY], []);
    return standings.map((standing) => this.#sumsOf(standing).get(ROOT_KEY) ?? EMPTY).reduce(plus);
  }

  /** Reads what a descent to a tick asks for, where it wasn't. */
  async requirePath(standings: readonly Standing[], tick: bigint): Promise<void> {
    const { keys, childrenOf } = pathTo(tick);
    await this.#require(standings, keys, childrenOf);
  }

  /** The non-empty nodes below one, one level down, the standings added up. */
  async children(standings: readonly Standing[], parent: NodeKey): Promise<readonly TickNode[]> {
    await this.#require(standings, [], [parent]);
    const [first, last] = childrenOfNode(parent);
    const children = new Map<NodeKey, NodeSum>();
    for (const standing of standings) {
      for (const [key, sum] of this.#sumsOf(standing)) {
        if (key >= first && key <= last && sum.commitments > 0n) children.set(key, plus(children.get(key), sum));
      }
    }
    return Array.from(children, ([key, { amount }]) => ({
      level: levelOf(key),
      lowestTick: lowestTickOf(key),
      amount,
    }));
  }

  async #require(
    standings: readonly Standing[],
    keys: readonly NodeKey[],
    childrenOf: readonly NodeKey[],
  ): Promise<void> {
    const isMissing = (name: string) => standings.some((standing) => this.#read.get(standing)?.has(name) !== true);
    const parents = childrenOf.filter((parent) => isMissing(`${parent}/`));
    const missing = keys.filter((key) => isMissing(key) && (key === ROOT_KEY || isMissing(`${parentOf(key)}/`)));
    const [first = [], ...others] = inBatches(missing);
    if (parents.length + first.length > 0) await this.#select({ standings, keys: first, childrenOf: parents });
    for (const batch of others) await this.#select({ standings, keys: batch, childrenOf: [] });
  }

  async #select(selection: NodeSelection): Promise<void> {
    const { rows } = await this.#transaction.executeQuery(selectNodes(this.#dialect, this.#saleUuid, selection));
    this.note(selection, rows);
  }

  /** A node below which nothing is left is deleted. */
  *#store(standing: Standing, keys: readonly NodeKey[]): Generator<CompiledQuery> {
    const sale = bytesOfHex(this.#saleUuid);
    const sums = this.#sumsOf(standing);
    const rows: unknown[][] = [];
    const emptied: Buffer[] = [];
    for (const key of keys) {
      const { amount, commitments } = sums.get(key) ?? EMPTY;
      if (commitments > 0n) rows.push([sale, standing, bytesOfHex(key), amount.toString(), commitments]);
      else emptied.push(bytesOfHex(key));
    }
    if (rows.length > 0) yield upsertStatement(this.#dialect, NODE_TARGET, rows);
    const nodes = { table: "tick_node", where: { sale, standing }, key: "node" };
    if (emptied.length > 0) yield deleteByKeys(this.#dialect, nodes, emptied);
  }

  #sumsOf(standing: Standing): Map<NodeKey, NodeSum> {
    return entryOf(this.#sums, standing, () => new Map<NodeKey, NodeSum>());
  }
}

function entryOf<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  const present = map.get(key);
  if (present !== undefined) return present;
  const made = make();
  map.set(key, made);
  return made;
}
