import type { Json, JsonObject } from '../model/catalogue.ts';
import { compositeOf } from './composite-of.ts';
import { isMap, stepsOf, valueAt, withValueAt } from './field-path.ts';
import { fails, fold, type Outcome, unknown, valueOf } from './outcome.ts';
import { transformed } from './transform.ts';

/** Objects that a Composition composes, by the names of their templates. */
export type ComposedObjects = Readonly<Record<string, JsonObject>>;

/**
 * Pure: what a Composition composes from a claim. Knows one step of `function-patch-and-transform` with the patches and transforms
 * of the catalogue; says that it cannot tell when it meets another one. What the engine adds to every object is left out.
 */
export function preview(composition: JsonObject, claim: JsonObject): Outcome<ComposedObjects> {
  const spec = isMap(composition['spec']) ? composition['spec'] : {};
  const [step, ...others] = listOf(spec['pipeline']);
  const { functionRef, input } = step ?? {};
  const isKnown =
    spec['mode'] === 'Pipeline' && others.length === 0 && isMap(functionRef) && functionRef['name'] === theFunction;
  if (!isKnown || !isMap(input) || input['environment'] !== undefined) {
    return unknown(`its Composition is not one step of ${theFunction}`);
  }
  const composite = compositeOf(claim);
  return fold(listOf(input['resources']), none, (objects, template) => {
    const { name, base } = template;
    if (typeof name !== 'string' || !isMap(base)) return unknown('a template has no name or no base');
    const object = fold(listOf(template['patches']), base, (value, patch) => patched(value, patch, composite));
    return object.is === 'value' ? valueOf({ ...objects, [name]: object.value }) : object;
  });
}

const none: ComposedObjects = {};

const theFunction = 'function-patch-and-transform';

function patched(object: JsonObject, patch: JsonObject, composite: JsonObject): Outcome<JsonObject> {
  const { type = 'FromCompositeFieldPath', fromFieldPath: from, toFieldPath: to = from, policy = {} } = patch;
  if (type === 'ToCompositeFieldPath') return valueOf(object);
  const isKnown = type === 'FromCompositeFieldPath' && typeof from === 'string' && typeof to === 'string';
  if (!isKnown || !isMap(policy) || (policy['toFieldPath'] ?? 'Replace') !== 'Replace') {
    return unknown(`a patch of type ${JSON.stringify(type)} is not known here`);
  }
  const [source, target] = [stepsOf(from), stepsOf(to)];
  if (!source || !target || target.includes('*')) return unknown(`the path ${from} or ${to} is not known here`);
  if (!isKnownOffline(source)) return unknown(`only the control plane knows ${from} of a composite`);
  const found = valueAt(composite, source);
  if (found.is === 'blocked') return fails(`${from} leads through something without fields`);
  if (found.is === 'absent') {
    return policy['fromFieldPath'] === 'Required' ? fails(`${from} is required and not set`) : valueOf(object);
  }
  const value = fold(listOf(patch['transforms']), found.value, transformed);
  if (value.is !== 'value') return { ...value, why: `${from} cannot become ${to}: ${value.why}` };
  const result = withValueAt(object, target, value.value);
  return isMap(result) ? valueOf(result) : fails(`${to} leads through something without fields`);
}

/** Names, UIDs, the status, and fields and labels that the engine sets by itself are known on the control plane only. */
function isKnownOffline([first, second, third]: readonly (string | number)[]): boolean {
  if (first === 'spec') return typeof second === 'string' && !ofEngine.has(second);
  const isCopied = first === 'metadata' && (second === 'labels' || second === 'annotations');
  return isCopied && (!String(third).includes('crossplane.io/') || ofClaim.has(String(third)));
}

const ofClaim = new Set(['crossplane.io/claim-name', 'crossplane.io/claim-namespace']);

const ofEngine = new Set([
  'claimRef',
  'compositionRef',
  'compositionRevisionRef',
  'compositionRevisionSelector',
  'compositionSelector',
  'compositionUpdatePolicy',
  'crossplane',
  'resourceRefs',
]);

function listOf(value: Json | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isMap) : [];
}
