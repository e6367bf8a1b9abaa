import type { Static } from 'typebox';
import type { Composed, Json, JsonObject, Patch, Target, Transform } from '../catalogue.ts';
import type { composed, PatchFile, TargetFile, TransformFile, TransformsFile } from '../shape/composed.ts';

export function composedOf(file: Static<typeof composed>, through: Composed['through']): Composed {
  return {
    through,
    base: file.base ?? {},
    patches: Object.entries(file.patches ?? {}).map(([to, patch]) => patchOf(to, patch)),
    status: Object.entries(file.status ?? {}).map(([to, from]) => ({ from, to })),
    ...(file.ready === undefined ? {} : { ready: file.ready }),
  };
}

function patchOf(to: string, patch: PatchFile): Patch {
  if (typeof patch === 'string') return { from: patch, to, transforms: [] };
  if ('trait' in patch) return { from: 'spec.plan', to, transforms: transformsOf(patch) };
  return { from: patch.from, to, transforms: transformsOf(patch.transforms ?? []) };
}

export function targetsOf(target: TargetFile): readonly Target[] | 'ignored' {
  if (target === 'ignored') return target;
  if (typeof target === 'string') return [{ to: target, transforms: [] }];
  return Object.entries(target).map(([to, transforms]) => ({ to, transforms: transformsOf(transforms) }));
}

function transformsOf(file: TransformsFile): readonly Transform[] {
  return isList(file) ? file.map(transformOf) : [transformOf(file)];
}

const isList = (file: TransformsFile): file is readonly TransformFile[] => Array.isArray(file);

function transformOf(transform: TransformFile): Transform {
  if (typeof transform === 'string') return { is: transform };
  if ('map' in transform) return { is: 'map', values: transform.map };
  if ('trait' in transform) return { is: 'trait', trait: transform.trait, values: transform.values };
  if ('format' in transform) return { is: 'format', format: transform.format };
  return { is: 'trim-prefix', prefix: transform['trim-prefix'] };
}

/** With the name of a service wherever `{service}` stands, in keys and in texts. */
export function filledIn<T>(value: T, service: string): T {
  return filled(value as Json, service) as T;
}

function filled(value: Json, service: string): Json {
  if (typeof value === 'string') return value.replaceAll('{service}', service);
  if (Array.isArray(value)) return value.map((item: Json) => filled(item, service));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value as JsonObject);
  return Object.fromEntries(
    entries.map(([key, field]) => [key.replaceAll('{service}', service), filled(field, service)]),
  );
}
