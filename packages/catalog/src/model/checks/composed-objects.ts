import { BOOL, compile, DYN, mustBe } from '@klutch/cel';
import type { Catalogue, Composed } from '../catalogue.ts';
import { stepsOf } from '../../preview/field-path.ts';
import type { Check, Finding } from './finding.ts';

/** What is composed is an object of some kind, and it can be said when it is ready. */
export const composedObjects: Check = (catalogue) =>
  composedOf(catalogue).flatMap(({ composed, ...place }) => {
    const at = (key: string, message: string): Finding => ({ ...place, path: [...place.path, key], message });
    const missing = ['apiVersion', 'kind'].filter((key) => typeof composed.base[key] !== 'string');
    return [
      ...missing.map((key) => at('base', `The object that is composed needs a "${key}" in its base.`)),
      ...readinessProblems(composed).map((message) => at('ready', message)),
      ...composed.status
        .filter(({ from, to }) => stepsOf(from) === undefined || stepsOf(to) === undefined)
        .map(({ to }) => ({
          ...place,
          path: [...place.path, 'status', to],
          message: 'This is no path; write one such as status.atProvider.state.',
        })),
    ];
  });

interface PlacedComposed extends Omit<Finding, 'message'> {
  readonly composed: Composed;
}

function composedOf({ services, backends }: Catalogue): readonly PlacedComposed[] {
  const isKnown = (used: { readonly name: string }) => backends.some(({ name }) => name === used.name);
  return [
    ...services.flatMap((service) =>
      service.backends.filter(isKnown).map(({ name, composed }) => ({
        part: 'services' as const,
        name: service.name,
        path: ['backends', name],
        composed,
      })),
    ),
    ...backends.flatMap((backend) =>
      Object.entries(backend.operations).map(([name, composed]) => ({
        part: 'backends' as const,
        name: backend.name,
        path: ['operations', name],
        composed,
      })),
    ),
  ];
}

function readinessProblems({ through, ready }: Composed): string[] {
  if (ready === undefined) return [];
  if (through === 'resource') return ['Objects of a provider say themselves when they are ready; leave "ready" out.'];
  // A query whose type is known at run time only, such as `object.status.ready`, never makes an Object of provider-kubernetes ready.
  const compiled = compile(ready, { variables: { object: DYN }, result: mustBe(BOOL) });
  return 'problem' in compiled
    ? [`This is no CEL expression about "object" that is true or false: ${firstLine(compiled.problem)}`]
    : [];
}

const firstLine = (text: string) => `${text.split('\n')[0]}.`;
