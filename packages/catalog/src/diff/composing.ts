import type { JsonObject } from '../model/catalogue.ts';
import { isMap } from '../preview/field-path.ts';

/** What a control plane has for claims of one kind. */
export interface Offering {
  /** A CompositeResourceDefinition; undefined: there are CRDs only. */
  readonly definition: JsonObject | undefined;
  /** By name. */
  readonly compositions: Readonly<Record<string, JsonObject>>;
}

/** Which Composition composes a claim. */
export type Composing =
  | { readonly is: 'known'; readonly name: string; readonly composition: JsonObject }
  | { readonly is: 'unknown'; readonly why: string };

/** Pure: what composes a claim. One that takes over new revisions by hand only has what was offered `before`. */
export function composingOf(claim: JsonObject, offering: Offering, before: Offering = offering): Composing {
  const spec = isMap(claim['spec']) ? claim['spec'] : {};
  const definition = specOf(offering.definition);
  const policy = spec['compositionUpdatePolicy'] ?? definition['defaultCompositionUpdatePolicy'];
  if (policy === 'Manual' && before !== offering) return composingOf(claim, before);
  const name =
    nameIn(definition['enforcedCompositionRef']) ??
    nameIn(spec['compositionRef']) ??
    nameIn(definition['defaultCompositionRef']);
  if (spec['compositionSelector'] !== undefined && nameIn(spec['compositionRef']) === undefined) {
    return { is: 'unknown', why: 'its Composition is chosen by labels and was not chosen yet' };
  }
  if (spec['compositionRevisionSelector'] !== undefined)
    return { is: 'unknown', why: 'its revision is chosen by labels' };
  if (name === undefined) return { is: 'unknown', why: 'it names no Composition, and there is no default' };
  const composition = Object.hasOwn(offering.compositions, name) ? offering.compositions[name] : undefined;
  if (composition === undefined) return { is: 'unknown', why: `there is no Composition ${name}` };
  return { is: 'known', name, composition };
}

function specOf(object: JsonObject | undefined): JsonObject {
  return isMap(object?.['spec']) ? object['spec'] : {};
}

function nameIn(reference: JsonObject[string] | undefined): string | undefined {
  const name = isMap(reference) ? reference['name'] : undefined;
  return typeof name === 'string' && name !== '' ? name : undefined;
}
