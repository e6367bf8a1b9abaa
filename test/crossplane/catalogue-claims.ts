import {
  type Catalogue,
  type Composition,
  compositionsOf,
  type Example,
  examplesOf,
  type Field,
  type Json,
  type JsonObject,
  judgeOf,
} from '@klutch/catalog';

/** A claim of the catalogue, and the Composition that composes for it. */
export interface CatalogueClaim {
  readonly composition: Composition;
  readonly claim: Pick<Example['claim'], 'apiVersion' | 'kind' | 'spec'>;
}

/**
 * Claims that use what a catalogue has: each example as it is, with other plans and versions (with all of them where the
 * Composition does more than copy their names), and with all fields and parameters at the lower and at the upper end of what
 * their schemas allow. Only those that are accepted.
 */
export function claimsOf(catalogue: Catalogue): readonly CatalogueClaim[] {
  const judge = judgeOf(catalogue);
  const offers = [...catalogue.services, ...catalogue.operations];
  const compositions = compositionsOf(catalogue);
  return examplesOf(catalogue).flatMap(({ backend, claim }) => {
    const offer = offers.find(({ kind }) => kind === claim.kind);
    const composition = compositions.find(({ metadata }) => metadata.name === `${backend}-${offer?.name}`);
    if (offer === undefined || composition === undefined)
      throw new Error(`nobody composes ${claim.kind} on ${backend}`);
    const { plans = [], versions = [], parameters = [] } = 'plans' in offer ? offer : {};
    const changed = (change: JsonObject) => ({ ...claim, spec: { ...claim.spec, ...change } });
    const isAccepted = (change: JsonObject) => judge(changed(change)).accepted;
    const chosen = (field: string, all: readonly { readonly name: string }[]) =>
      all
        .map(({ name }) => ({ [field]: name }))
        .filter(isAccepted)
        .slice(isTransformed(field, composition) ? 0 : -1);
    const [low = {}, high = {}] = [0, -1].map((end) =>
      asMany([...settings(offer.fields, end), ...settings(parameters, end, 'parameters')], isAccepted),
    );
    const changes: readonly JsonObject[] = [{}, ...chosen('plan', plans), ...chosen('service', versions), low, high];
    return changes.map((change) => ({ composition, claim: changed(change) }));
  });
}

function isTransformed(field: string, { spec }: Composition): boolean {
  const patches = spec.pipeline[0].input.resources.flatMap((resource) => resource.patches);
  return patches.some(({ fromFieldPath, transforms }) => fromFieldPath === `spec.${field}` && transforms !== undefined);
}

/** As many of the changes together as are accepted, in their order. */
function asMany(changes: readonly Change[], isAccepted: (change: JsonObject) => boolean): JsonObject {
  return changes.reduce<JsonObject>((all, change) => (isAccepted(change(all)) ? change(all) : all), {});
}

type Change = (spec: JsonObject) => JsonObject;

function settings(fields: readonly Field[], end: number, below?: string): readonly Change[] {
  return fields.flatMap(({ name, schema }) =>
    samples(schema)
      .slice(end)
      .slice(0, 1)
      .map(
        (value): Change =>
          (spec) =>
            below === undefined
              ? { ...spec, [name]: value }
              : { ...spec, [below]: { ...(spec[below] as JsonObject | undefined), [name]: value } },
      ),
  );
}

function samples(schema: JsonObject): readonly Json[] {
  const { type, enum: values, minimum = 1, maximum = 2 } = schema;
  if (Array.isArray(values)) return values as readonly Json[];
  if (type === 'boolean') return [true, false];
  if (type === 'integer' || type === 'number') return [minimum, maximum];
  if (type === 'string') return ['Some Text'];
  if (type === 'array') return samples(schema['items'] as JsonObject).map((item) => [item]);
  return [];
}
