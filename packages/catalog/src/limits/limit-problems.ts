import { type CompositeResourceDefinition, crdsOf } from '@klutch/xrd';
import type { Catalogue, Operation, Service } from '../model/catalogue.ts';
import { type Problem, problemAt } from '../model/files/source.ts';
import { compositionsOf } from '../render/compositions.ts';
import { definitionOf } from '../render/definitions.ts';
import { isService, offersOf } from '../render/offers.ts';
import { nameProblems, ruleProblems, sizeProblems, type Written } from './limits.ts';

/** What Kubernetes would refuse of what a catalogue is rendered to: rules that cost too much, objects and names that are too large. */
export function limitProblems(catalogue: Catalogue): readonly Problem[] {
  return [
    ...offersOf(catalogue).flatMap((offer) =>
      inFile(`${isService(offer) ? 'services' : 'operations'}/${offer.name}.yaml`, problemsOf(offer, catalogue)),
    ),
    ...catalogue.backends.flatMap(({ name, providerConfigs }) =>
      inFile(
        `backends/${name}.yaml`,
        providerConfigs.flatMap((config) => told(config as object as Written, nameProblems)),
      ),
    ),
  ];
}

function problemsOf(offer: Service | Operation, catalogue: Catalogue): readonly string[] {
  const compositions = compositionsOf({ ...catalogue, services: [], operations: [], ...only(offer) });
  return [
    ...definitionProblems(definitionOf(offer, catalogue)),
    ...compositions.flatMap((composition) => [...told(composition, nameProblems), ...told(composition, sizeProblems)]),
  ];
}

/** What Kubernetes would refuse of a definition, whoever wrote it, or of the CRDs that Crossplane makes of it. */
export function definitionProblems(definition: CompositeResourceDefinition): readonly string[] {
  const { claim, composite } = crdsOf(definition);
  // Composites have the rules of claims, and nothing more that could be too large.
  const crd = claim ?? composite;
  return [
    ...[definition, composite, ...(claim ? [claim] : [])].flatMap((object) => told(object, nameProblems)),
    ...[definition, crd].flatMap((object) => told(object, sizeProblems)),
    ...told(crd, ruleProblems),
  ];
}

function only(offer: Service | Operation): Partial<Catalogue> {
  return isService(offer) ? { services: [offer] } : { operations: [offer] };
}

function told<T extends Written>(object: T, problemsIn: (object: T) => readonly string[]): readonly string[] {
  return problemsIn(object).map(
    (problem) => `Kubernetes would refuse ${object.kind} ${object.metadata.name}: ${problem}.`,
  );
}

function inFile(file: string, messages: readonly string[]): readonly Problem[] {
  return messages.map((message) => problemAt({ file, line: 1, column: 1 }, message));
}
