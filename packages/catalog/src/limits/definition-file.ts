import type { CompositeResourceDefinition } from '@klutch/xrd';
import type { Schema } from '../model/catalogue.ts';
import { schemaProblems } from '../model/checks/field-schemas.ts';
import { parseYaml } from '../model/files/parse.ts';
import { type Problem, problemAt, type SourceFile } from '../model/files/source.ts';
import { objectOf, placeOf } from '../model/files/tree.ts';
import type { Shape } from '../model/shape/shape.ts';
import { shapeProblems } from '../model/shape/shape-problems.ts';
import { definitionProblems } from './limit-problems.ts';

/** Everything that is wrong with a definition that was written by hand, for kinds that no catalogue can describe. */
export function definitionFileProblems(file: SourceFile): readonly Problem[] {
  const { tree, problems } = parseYaml(file);
  if (tree === undefined) return problems;
  const misfits = shapeProblems(shape, tree);
  if (misfits.length > 0 || tree.is !== 'map') return misfits;
  const definition = objectOf(tree) as object as CompositeResourceDefinition;
  const unstructural = definition.spec.versions.flatMap(({ schema }, at) => {
    const path = ['spec', 'versions', at, 'schema', 'openAPIV3Schema'];
    return fieldsOf(schema?.openAPIV3Schema).flatMap(({ path: below, schema }) =>
      schemaProblems(schema, [...path, ...below]),
    );
  });
  if (unstructural.length > 0) return unstructural.map(({ path, message }) => problemAt(placeOf(tree, path), message));
  return definitionProblems(definition).map((message) => problemAt(tree.at, message));
}

/** Of the rest of a schema Crossplane takes little. */
function fieldsOf(schema: object = {}) {
  const { properties: { spec, status } = {} } = schema as Parent & {
    readonly properties?: Readonly<Record<string, Parent>>;
  };
  return Object.entries({ spec, status }).flatMap(([part, { properties = {} } = {}]) =>
    Object.entries(properties).map(([name, schema]) => ({ path: ['properties', part, 'properties', name], schema })),
  );
}

interface Parent {
  readonly properties?: Readonly<Record<string, Schema>>;
}

const text: Shape = { type: 'string', minLength: 1 };
const names: Shape = { type: 'object', required: ['kind', 'plural'], properties: { kind: text, plural: text } };

/** What of a definition must be there so that CRDs follow from it. */
const shape: Shape = {
  type: 'object',
  required: ['apiVersion', 'kind', 'metadata', 'spec'],
  properties: {
    apiVersion: { type: 'string', enum: ['apiextensions.crossplane.io/v1'] },
    kind: { type: 'string', enum: ['CompositeResourceDefinition'] },
    metadata: { type: 'object', required: ['name'], properties: { name: text } },
    spec: {
      type: 'object',
      required: ['group', 'names', 'versions'],
      properties: {
        group: text,
        names,
        claimNames: names,
        versions: {
          type: 'array',
          minItems: 1,
          items: {
            type: 'object',
            required: ['name', 'served', 'referenceable'],
            properties: { name: text, served: { type: 'boolean' }, referenceable: { type: 'boolean' } },
          },
        },
      },
    },
  },
};
