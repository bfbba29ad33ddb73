import type { ImportGraph } from "./import-graph.ts";

/** Returns every group of files that import each other in a circle, each sorted (Tarjan's strongly connected components). */
export function importCycles(graph: ImportGraph): string[][] {
  const search = new CycleSearch(graph);
  for (const file of graph.keys()) search.visit(file);
  return search.cycles.toSorted();
}

class CycleSearch {
  readonly cycles: string[][] = [];
  readonly #graph: ImportGraph;
  readonly #order = new Map<string, number>();
  readonly #stack: string[] = [];

  constructor(graph: ImportGraph) {
    this.#graph = graph;
  }

  /** Returns the earliest file on the stack that this one leads back to, by its position in the search. */
  visit(file: string): number {
    const known = this.#order.get(file);
    if (known !== undefined) return this.#stack.includes(file) ? known : Number.POSITIVE_INFINITY;
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
