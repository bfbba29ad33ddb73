import type { ImportGraph } from "./import-graph.ts";
import type { Violation } from "./import-violations.ts";

/** Returns every import cycle as a sorted group of files (Tarjan's strongly connected components). */
export function importCycles(graph: ImportGraph): string[][] {
  const search = new CycleSearch(graph);
  for (const file of graph.keys()) search.visit(file);
  return search.cycles.toSorted();
}

/** Returns every import between two folders that belong to the same circle (rule 13). */
export function folderCircles(folders: ImportGraph): Violation[] {
  return importCycles(folders).flatMap((circle) =>
    circle.flatMap((from) =>
      (folders.get(from) ?? []).filter((to) => circle.includes(to)).map((to) => ({ rule: 13, from, to })),
    ),
  );
}

class CycleSearch {
  readonly cycles: string[][] = [];
  readonly #graph: ImportGraph;
  readonly #order = new Map<string, number>();
  readonly #stack: string[] = [];

  constructor(graph: ImportGraph) {
    this.#graph = graph;
  }

  /** Returns the position of the earliest file on the stack that this file leads back to. */
  visit(file: string): number {
    const order = this.#order.get(file);
    if (order !== undefined) return this.#stack.includes(file) ? order : Number.POSITIVE_INFINITY;
    const position = this.#order.size;
    this.#order.set(file, position);
    this.#stack.push(file);
    const reached = (this.#graph.get(file) ?? []).map((next) => this.visit(next));
    const earliest = Math.min(position, ...reached);
    if (earliest === position) this.#closeGroup(file);
    return earliest;
  }

  #closeGroup(first: string): void {
    const group = this.#stack.splice(this.#stack.indexOf(first));
    if (group.length > 1 || this.#graph.get(first)?.includes(first)) this.cycles.push(group.toSorted());
  }
}
