import { applyDefaults, buildNode, compileValidation, errorText, type JsonSchema, type Node, prune } from '@klutch/cel';
import { coerceEmbedded } from './object/coerce-embedded.ts';
import { embeddedProblems } from './object/embedded-check.ts';
import { UnreadableResource } from './object/unreadable-resource.ts';
import type { CompiledSchema, PruneOptions } from './types.ts';

/** Compiles a schema that `checkCrdSchema` finds nothing wrong with. */
export function compileSchema(source: JsonSchema): CompiledSchema {
  const node = buildNode(source);
  const resource: Node = { ...node, embedded: true };
  return {
    source,
    prune: (object, options) => pruneObject(object, resource, node, options),
    applyDefaults: (object) => applyDefaults(object, node),
    ...compileValidation(source, (object) => embeddedProblems(object, node)),
  };
}

function pruneObject(
  object: object,
  resource: Node,
  node: Node,
  { isStored = false }: PruneOptions = {},
): readonly string[] {
  const removed = prune(object, resource, { dropsNulls: true });
  if (!node.anyEmbedded) return removed;
  const { unknown, problem } = coerceEmbedded(object, node, '', isStored);
  if (problem) throw new UnreadableResource(object, errorText(problem));
  return [...removed, ...unknown];
}
