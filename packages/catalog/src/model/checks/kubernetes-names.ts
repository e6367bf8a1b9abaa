import { dns1035LabelProblems, dns1123SubdomainProblems, labelValueProblems } from '@klutch/cel';
import type { Catalogue, Operation, Service } from '../catalogue.ts';
import { stepsOf } from '../../preview/field-path.ts';
import { isService, offersOf } from '../../render/offers.ts';
import { backendsOf } from '../../rules/backend-is.ts';
import { type Check, type Finding, finding } from './finding.ts';

/** Names that become names in Kubernetes are allowed there. */
export const kubernetesNames: Check = (catalogue) =>
  offersOf(catalogue).flatMap((offer) => [
    ...kindNames(offer),
    ...compositionNames(offer, catalogue),
    ...fieldNames(offer),
    ...columns(offer),
  ]);

/** The longest name that Crossplane and Kubernetes derive from a kind is `X<kind>List`, from a plural `x<plural>`. */
function kindNames(offer: Service | Operation): Finding[] {
  const { kind, plural, group } = offer;
  const isKind = /^[A-Z][A-Za-z0-9]*$/.test(kind) && kind.length <= 58;
  return [
    ...(isKind
      ? []
      : [
          finding(
            offer,
            ['kind'],
            `"${kind}" cannot be a kind; write up to 58 letters and digits, the first in upper case.`,
          ),
        ]),
    ...(dns1035LabelProblems(`x${plural}`).length === 0 && /^[a-z]/.test(plural)
      ? []
      : [
          finding(
            offer,
            ['plural'],
            `"${plural}" cannot be a plural; write up to 62 lower-case letters, digits and dashes.`,
          ),
        ]),
    ...(dns1123SubdomainProblems(group).length === 0 && group.includes('.')
      ? []
      : [
          finding(
            offer,
            ['group'],
            `"${group}" cannot be an API group; write a domain in lower case, such as example.org.`,
          ),
        ]),
    ...(/(?:^|\.)(?:k8s|kubernetes)\.io$/.test(group)
      ? [
          finding(
            offer,
            ['group'],
            `"${group}" is for Kubernetes alone; write a domain of your own, such as example.org.`,
          ),
        ]
      : []),
  ];
}

/** Crossplane writes the name of a Composition into a label of its revisions. */
function compositionNames(offer: Service | Operation, catalogue: Catalogue): Finding[] {
  return backendsOf(offer, catalogue).flatMap((backend) =>
    labelValueProblems(`${backend}-${offer.name}`).length === 0
      ? []
      : [
          finding(
            offer,
            [isService(offer) ? 'service' : 'operation'],
            `The Composition ${backend}-${offer.name} would have a name of more than 63 characters; use a shorter one.`,
          ),
        ],
  );
}

/** Fields of `spec` that are not free: those of Crossplane, and those that follow from the rest of the file. */
const taken = new Set(
  'service plan parameters claimRef compositeDeletePolicy compositionRef compositionRevisionRef compositionRevisionSelector compositionSelector compositionUpdatePolicy publishConnectionDetailsTo resourceRef resourceRefs writeConnectionSecretToRef'.split(
    ' ',
  ),
);

function fieldNames(offer: Service | Operation): Finding[] {
  const parameters = isService(offer) ? offer.parameters : [];
  return [
    ...offer.fields.flatMap(({ name }) =>
      taken.has(name)
        ? [finding(offer, ['fields', name], `Every claim has a field "${name}" of its own; choose another name.`)]
        : [],
    ),
    ...offer.fields.flatMap(({ name }) => unusable(offer, ['fields', name], name)),
    ...parameters.flatMap(({ name }) => unusable(offer, ['parameters', name], name)),
  ];
}

function unusable(offer: Service | Operation, path: readonly string[], name: string): Finding[] {
  if (/^[A-Za-z_][A-Za-z0-9_-]{0,62}$/.test(name)) return [];
  return [finding(offer, path, `"${name}" cannot be a field; write up to 63 letters, digits, dashes and underscores.`)];
}

function columns(offer: Service | Operation): Finding[] {
  return offer.columns
    .filter(({ jsonPath }) => !jsonPath.startsWith('.') || stepsOf(jsonPath.slice(1)) === undefined)
    .map(({ name, jsonPath }) =>
      finding(
        offer,
        ['columns', name, 'jsonPath'],
        `"${jsonPath}" is no path; write one such as .status.managed.state.`,
      ),
    );
}
