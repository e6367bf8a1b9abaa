import type { JsonObject } from '../model/catalogue.ts';
import { isMap } from './field-path.ts';

/** Pure: the composite that the engine makes of a claim, without what only a cluster knows: its name, UID and status. */
export function compositeOf(claim: JsonObject): JsonObject {
  const metadata = isMap(claim['metadata']) ? claim['metadata'] : {};
  const spec = isMap(claim['spec']) ? claim['spec'] : {};
  const { name = '', namespace = 'default' } = metadata;
  return {
    apiVersion: claim['apiVersion'] ?? '',
    kind: `X${String(claim['kind'])}`,
    metadata: {
      labels: {
        ...(isMap(metadata['labels']) ? metadata['labels'] : {}),
        'crossplane.io/claim-name': name,
        'crossplane.io/claim-namespace': namespace,
      },
      annotations: isMap(metadata['annotations']) ? metadata['annotations'] : {},
    },
    spec: Object.fromEntries(Object.entries(spec).filter(([field]) => !ofClaimsOnly.has(field))),
  };
}

/** Fields of a claim that are not handed on to its composite. */
const ofClaimsOnly = new Set([
  'compositeDeletePolicy',
  'publishConnectionDetailsTo',
  'resourceRef',
  'writeConnectionSecretToRef',
]);
