import { type DefinitionOptions, install, objectOf } from './definition.ts';
import type { Sent } from './objects.ts';
import type { Server } from './server.ts';

/** Where a custom kind of its own name lives; kubectl is asked for it by that name, which no other file may use. */
export interface GadgetKind {
  readonly group: string;
  readonly kind: string;
}

/** One object of the kind. */
export function gadget({ group, kind }: GadgetKind, name: string, spec: object): Sent {
  return { apiVersion: `${group}/v1`, kind, metadata: { name }, spec };
}

/** Defines the kind and makes two objects: `first` of size 1 and `second` of size 2. */
export async function installGadgets({ admin }: Server, type: GadgetKind, namespace: string): Promise<void> {
  await install(admin, gadgetDefinition(type));
  const path = `/apis/${type.group}/v1/namespaces/${namespace}/${type.kind.toLowerCase()}s`;
  await Promise.all([
    admin.create(path, gadget(type, 'first', { size: 1, color: 'red' })),
    admin.create(path, gadget(type, 'second', { size: 2, color: 'blue' })),
  ]);
}

/** A kind with all that kubectl shows: columns, a scale, names of all sorts and descriptions. */
function gadgetDefinition({ group, kind }: GadgetKind): DefinitionOptions {
  const size = { type: 'integer', description: 'How big it is.' };
  const color = { type: 'string', enum: ['red', 'blue'], description: 'What it looks like.' };
  const condition = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
  const spec = { ...objectOf({ size, color }), description: 'What is wanted.' };
  const status = objectOf({ size: { type: 'integer' }, conditions: { type: 'array', items: condition } });
  return {
    group,
    kind,
    names: { shortNames: [`${kind.slice(0, 3).toLowerCase()}x`], categories: [`${kind.toLowerCase()}ry`] },
    schema: { type: 'object', description: `${kind} is a thing.`, properties: { spec, status } },
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
