import type { CustomResourceDefinition } from '@klutch/api';
import { checkSchemaRules, dns1035LabelProblems, dns1123SubdomainProblems, labelValueProblems } from '@klutch/cel';

/** An object as it will be sent to a server. */
export interface Written {
  readonly kind: string;
  readonly metadata: { readonly name?: string; readonly annotations?: Readonly<Record<string, string>> };
}

/** etcd takes 1.5 MiB at most; the rest is for what servers and controllers add. */
const mostBytes = 1_500_000;
/** Kubernetes takes 256 KiB at most; the rest is for what engine, backend and konnector note down. */
const mostAnnotationBytes = 192 * 1024;

/** What is too large about an object. */
export function sizeProblems(object: Written): readonly string[] {
  const size = Buffer.byteLength(JSON.stringify(object));
  const notes = Buffer.byteLength(
    Object.entries(object.metadata.annotations ?? {})
      .flat()
      .join(''),
  );
  return [
    ...(size > mostBytes ? [`it has ${size} bytes, more than ${mostBytes}; offer fewer plans or fields`] : []),
    ...(notes > mostAnnotationBytes
      ? [`its annotations have ${notes} bytes, more than ${mostAnnotationBytes}; offer fewer plans or describe less`]
      : []),
  ];
}

/** What is wrong with the names in an object. */
export function nameProblems(object: Written): readonly string[] {
  const { name = '' } = object.metadata;
  // Revisions carry the name of their Composition as a label, usages that of their ProviderConfig.
  const isLabel = object.kind === 'Composition' || object.kind === 'ProviderConfig';
  return [
    ...[...dns1123SubdomainProblems(name), ...(isLabel ? labelValueProblems(name) : [])].map(
      (problem) => `its name is not allowed: ${problem}`,
    ),
    ...(isCrd(object) ? kindProblems(object) : []),
  ];
}

function kindProblems({ spec: { names } }: CustomResourceDefinition): readonly string[] {
  const { plural, kind, listKind = `${kind}List` } = names;
  return [
    ...dns1035LabelProblems(plural).map((problem) => `its plural ${plural} is not allowed: ${problem}`),
    ...dns1035LabelProblems(listKind.toLowerCase()).map(
      (problem) => `the kind of its lists ${listKind} is not allowed: ${problem}`,
    ),
  ];
}

/** What is wrong with the rules of a CRD: above all, that they cost too much. */
export function ruleProblems({ spec }: CustomResourceDefinition): readonly string[] {
  return spec.versions.flatMap(({ schema }) =>
    checkSchemaRules(schema?.openAPIV3Schema ?? {}, 'schema').map(
      // After the first line comes the rule itself.
      ({ path, message }) => `${path}: ${message.split('\n')[0]}`,
    ),
  );
}

function isCrd(object: Written): object is CustomResourceDefinition {
  return object.kind === 'CustomResourceDefinition';
}
