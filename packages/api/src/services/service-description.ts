import { annotations } from '../names/annotations.ts';
import { jsonOf } from '../payloads/parse-json.ts';
import { problemIn } from '../schema/problem.ts';
import { array, freeForm, type Infer, object, record, required, string } from '../schema/schema.ts';

const backends = array('Names of the backends that have it; all when absent.', string('A name.'));

const description = object('What people should know about a kind before they write a claim of it.', {
  displayName: required(string('What the service is called.')),
  description: string('What it is, in a sentence or two.'),
  documentation: string('Address of a page about it.', { pattern: '^https?://' }),
  backends: array(
    'What makes instances, the default first.',
    object('A backend.', {
      name: required(string('By which versions and plans refer to it.')),
      displayName: required(string('What it is called.')),
      composition: required(string('Value of `spec.compositionRef.name` that chooses it.')),
    }),
  ),
  versions: array('Values of `spec.service`.', object('A version.', { name: required(string('Its name.')), backends })),
  plans: array(
    'Values of `spec.plan`.',
    object('A plan.', {
      name: required(string('Its name.')),
      description: string('What it is for.'),
      cost: string('Such as `12 EUR per month`.'),
      limits: record('What an instance gets.', string('Such as `4Gi`.')),
      backends,
    }),
  ),
  example: freeForm('`spec` of a claim that is accepted.'),
});

/** What a catalogue tells people about a kind. It travels with the CRD, as JSON in an annotation. */
export type ServiceDescription = Infer<typeof description>;

/** The annotations that carry a description. */
export function serviceDescriptionAnnotations(of: ServiceDescription): Readonly<Record<string, string>> {
  return { [annotations.serviceDescription]: JSON.stringify(of) };
}

/** What the annotations of a CRD tell; undefined when they tell nothing that makes sense. */
export function serviceDescriptionOf(object: {
  readonly metadata: { readonly annotations?: Readonly<Record<string, string>> };
}): ServiceDescription | undefined {
  const value = jsonOf(object.metadata.annotations?.[annotations.serviceDescription] ?? '');
  return value === undefined || problemIn(description.json, value) !== undefined
    ? undefined
    : (value as ServiceDescription);
}
