import { buildNode, type Node } from '../schema/node.ts';

const STRING = buildNode({ type: 'string' });
const METADATA = buildNode({
  type: 'object',
  properties: { name: { type: 'string' }, generateName: { type: 'string' } },
});

/**
 * The schema of a resource with the fields that every resource has and rules may use: `apiVersion`, `kind`,
 * `metadata.name` and `metadata.generateName`. Whatever else the schema says about them is set aside.
 */
export function withMeta(node: Node): Node {
  return isComplete(node) ? node : extended(node);
}

function isComplete({ properties }: Node): boolean {
  const metadata = properties?.get('metadata');
  const isString = (field: Node | undefined) => field?.type === 'string';
  return (
    isString(properties?.get('kind')) &&
    isString(properties?.get('apiVersion')) &&
    metadata?.type === 'object' &&
    isString(metadata.properties?.get('name')) &&
    isString(metadata.properties?.get('generateName'))
  );
}

function extended(node: Node): Node {
  const properties = new Map(node.properties);
  properties.set('kind', STRING).set('apiVersion', STRING).set('metadata', METADATA);
  // Extended once and for all: the value is not to be extended again.
  return { ...node, properties, embedded: false };
}
