import {
  applyDefaults,
  buildNode,
  compileValidation,
  dns1123SubdomainProblems,
  isObject,
  type JsonSchema,
  prune,
} from '@klutch/cel';
import { crdsOf } from '@klutch/xrd';
import type { Catalogue, Operation, Service } from '../model/catalogue.ts';
import { definitionOf } from '../render/definitions.ts';
import { offersOf } from '../render/offers.ts';
import { fieldsAt, hintAt } from './field-hints.ts';
import { refusals } from './refusals.ts';
import type { Rule } from './rule.ts';
import { rulesOf } from './rules-of.ts';
import { allOf } from './sentence.ts';

/** What would become of a claim. */
export type Verdict = { readonly accepted: true } | { readonly accepted: false; readonly refusals: readonly Refusal[] };

export interface Refusal {
  /** From the root of the claim, such as `spec.plan`. */
  readonly field: string;
  /** What is wrong with it, and what is allowed. */
  readonly message: string;
}

/** Judges a claim without a cluster: as a new one, or as a change of the one before. */
export type Judge = (claim: unknown, before?: unknown) => Verdict;

/**
 * Judges claims as an API server with the definitions of a catalogue does, in its words, when it validates fields strictly, as
 * kubectl asks for.
 */
export function judgeOf(
  catalogue: Catalogue,
  rulesFor: (offer: Service | Operation) => readonly Rule[] = (offer) => rulesOf(offer, catalogue),
): Judge {
  const offers = offersOf(catalogue);
  const kinds = new Map<string, Judge>();
  return (claim, before) => {
    const type = typeOf(claim, offers);
    if ('message' in type) return { accepted: false, refusals: [type] };
    const judge = kinds.get(type.kind) ?? judgeOfKind(type, catalogue, rulesFor(type));
    kinds.set(type.kind, judge);
    return judge(claim, before);
  };
}

/** Judges one claim. Whoever has many asks `judgeOf`. */
export function judgeClaim(catalogue: Catalogue, claim: unknown, before?: unknown): Verdict {
  return judgeOf(catalogue)(claim, before);
}

function typeOf(claim: unknown, offers: readonly (Service | Operation)[]): Service | Operation | Refusal {
  const { apiVersion, kind } = isObject(claim) ? claim : {};
  const offer = offers.find((one) => one.kind === kind);
  if (!offer) {
    const kinds = allOf(offers.map((one) => one.kind));
    return { field: 'kind', message: `unknown kind ${JSON.stringify(kind ?? '')}: the catalogue offers ${kinds}` };
  }
  const version = `${offer.group}/v1`;
  if (apiVersion === version) return offer;
  const found = JSON.stringify(apiVersion ?? '');
  return { field: 'apiVersion', message: `unknown apiVersion ${found}: ${offer.kind} is offered by ${version}` };
}

function judgeOfKind(offer: Service | Operation, catalogue: Catalogue, rules: readonly Rule[]): Judge {
  const schema = schemaOf(offer, catalogue);
  const node = buildNode(schema);
  const { validate } = compileValidation(withoutRules(schema));
  const read = (object: unknown) => {
    const copy = structuredClone(object) as Record<string, unknown>;
    const unknown = prune(copy, { ...node, embedded: true }, { dropsNulls: true });
    applyDefaults(copy, node);
    return { copy, unknown };
  };
  return (claim, before) => {
    const { copy, unknown } = read(claim);
    const old = before === undefined ? undefined : read(before).copy;
    const found: readonly Refusal[] = [
      ...nameProblems(copy),
      ...unknown.map((field) => ({ field, message: `unknown field "${field}"${fieldsAt(schema, field)}` })),
      ...validate(copy, old).map(({ field, message }) => ({ field, message: `${message}${hintAt(schema, field)}` })),
      ...refusals(rules, specOf(copy), old && specOf(old)).map(({ field, message }) => ({
        field: `spec.${field}`,
        message,
      })),
    ];
    return found.length === 0 ? { accepted: true } : { accepted: false, refusals: found };
  };
}

const specOf = ({ spec }: Readonly<Record<string, unknown>>) => (isObject(spec) ? spec : {});

function schemaOf(offer: Service | Operation, catalogue: Catalogue): JsonSchema {
  const { claim } = crdsOf(definitionOf(offer, catalogue));
  return claim?.spec.versions[0]?.schema?.openAPIV3Schema ?? {};
}

/** The rules of `spec` are asked without CEL; those that fields have in their own schemas stay. */
function withoutRules(schema: JsonSchema): JsonSchema {
  const { spec = {}, ...properties } = schema.properties ?? {};
  const { 'x-kubernetes-validations': _, ...rest } = spec;
  return { ...schema, properties: { ...properties, spec: rest } };
}

function nameProblems({ metadata }: Readonly<Record<string, unknown>>): readonly Refusal[] {
  const { name, generateName } = isObject(metadata) ? metadata : {};
  const field = 'metadata.name';
  if (typeof name !== 'string' || name === '')
    return generateName === undefined ? [{ field, message: 'Required value: name or generateName is required' }] : [];
  return dns1123SubdomainProblems(name).map((problem) => ({
    field,
    message: `Invalid value: ${JSON.stringify(name)}: ${problem}`,
  }));
}
