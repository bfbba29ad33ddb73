import type { TestProject } from "vitest/node";
import type { ClusterAccess } from "../support/api.ts";
import { installDefinitions } from "../support/definitions.ts";
import { startNodes } from "./nodes.ts";

declare module "vitest" {
  export interface ProvidedContext {
    /** The cluster with nodes that all test files share. */
    nodes: ClusterAccess;
  }
}

const NODES = 3;

/** Starts the nodes of a run; returns their end. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const nodes = await startNodes(NODES);
  console.log(`nodes are ready: ${JSON.stringify(nodes.seconds)} s`);
  try {
    await installDefinitions(nodes.access);
  } catch (error) {
    await nodes.stop();
    throw error;
  }
  project.provide("nodes", nodes.access);
  return () => nodes.stop();
}
