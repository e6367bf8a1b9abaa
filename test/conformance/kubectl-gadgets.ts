import { type DefinitionOptions, install, objectOf } from './definition.ts';
import type { Sent } from './objects.ts';
import type { Server } from './server.ts';

/** The custom kind that the checks of kubectl use: with columns, a scale, a short name and descriptions. */
export function gadgets(group: string): DefinitionOptions {
  const size = { type: 'integer', description: 'How big it is.' };
  const color = { type: 'string', enum: ['red', 'blue'], description: 'What it looks like.' };
  const condition = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
  const spec = { ...objectOf({ size, color }), description: 'What is wanted.' };
  const status = objectOf({ size: { type: 'integer' }, conditions: { type: 'array', items: condition } });
  return {
    group,
    kind: 'Gadget',
    names: { shortNames: ['gdg'], categories: ['gadgetry'] },
    schema: { type: 'object', description: 'Gadget is a thing.', properties: { spec, status } },
    version: {
      subresources: { status: {}, scale: { specReplicasPath: '.spec.size', statusReplicasPath: '.status.size' } },
      additionalPrinterColumns: [
        { name: 'Size', type: 'integer', jsonPath: '.spec.size' },
        { name: 'Color', type: 'string', jsonPath: '.spec.color', priority: 1 },
        { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
      ],
    },
  };
}

/** One gadget. */
export function gadget(group: string, name: string, spec: object): Sent {
  return { apiVersion: `${group}/v1`, kind: 'Gadget', metadata: { name }, spec };
}

/** Defines gadgets and makes two of them: `first` of size 1 and `second` of size 2. */
export async function installGadgets({ admin }: Server, group: string, namespace: string): Promise<void> {
  await install(admin, gadgets(group));
  const path = `/apis/${group}/v1/namespaces/${namespace}/gadgets`;
  await Promise.all([
    admin.create(path, gadget(group, 'first', { size: 1, color: 'red' })),
    admin.create(path, gadget(group, 'second', { size: 2, color: 'blue' })),
  ]);
}
