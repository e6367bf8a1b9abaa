import type { Catalogue, Field, Operation, Service } from '../../model/catalogue.ts';
import type { Example } from '../examples.ts';
import { manifest } from '../manifest.ts';
import { compositionName, isService, realisationsOf } from '../offers.ts';
import { codes, page, section, table } from './markdown.ts';
import { limitWords, typeWords } from './schema-words.ts';
import { serviceSections } from './service-sections.ts';

/** The reference page of one kind of claim. */
export function offerPage(offer: Service | Operation, catalogue: Catalogue, examples: readonly Example[]): string {
  const { displayName, description, documentation, group, kind, requirements } = offer;
  const backends = realisationsOf(offer, catalogue).map(({ backend }) => backend);
  return page([
    `# ${displayName}`,
    description,
    documentation === undefined ? undefined : `[Documentation of ${displayName}](${documentation})`,
    `Write claims of kind \`${kind}\` (\`${group}/v1\`).`,
    section('Backends', backendTable(offer, catalogue)),
    ...(isService(offer) ? serviceSections(offer, backends) : []),
    section('Fields', ...fieldTables('spec', offer.fields, backends)),
    isService(offer) ? section('Parameters', ...fieldTables('spec.parameters', offer.parameters, backends)) : undefined,
    section('Requirements', requirements.map(({ message }) => `- ${message}`).join('\n')),
    section(
      'Examples',
      ...examples
        .filter(({ claim }) => claim.kind === kind)
        .map(
          ({ claim }) => `\`\`\`yaml
${manifest(claim)}\`\`\``,
        ),
    ),
  ]);
}

function backendTable(offer: Service | Operation, catalogue: Catalogue): string {
  const rows = realisationsOf(offer, catalogue).map(({ backend }) => {
    const { displayName = '', description = '' } = catalogue.backends.find(({ name }) => name === backend) ?? {};
    const service = isService(offer) ? offer.backends.find(({ name }) => name === backend) : undefined;
    return [
      `${backend}: ${displayName}${backend === offer.defaultBackend ? ' (default)' : ''}`,
      codes([compositionName(backend, offer)]),
      (service?.operations ?? servicesWith(offer, backend, catalogue)).join(', '),
      codes(service?.credentials ?? []),
      description,
    ];
  });
  return table(['Backend', '`spec.compositionRef.name`', 'Works with', 'Keys of credentials', 'What it is'], rows);
}

/** Values of `spec.serviceInstanceType`. */
function servicesWith(offer: Service | Operation, backend: string, { services }: Catalogue): readonly string[] {
  const isUsed = ({ backends }: Service) =>
    backends.some(
      ({ name, operations }) => name === backend && operations.some((operation) => operation === offer.name),
    );
  return services.filter(isUsed).map(({ name }) => name);
}

function fieldTables(at: string, fields: readonly Field[], backends: readonly string[]): readonly string[] {
  if (fields.length === 0) return [];
  const rows = fields.map((field) => [
    codes([`${at}.${field.name}`]),
    typeWords(field.schema),
    limitWords(field.schema),
    field.required ? 'yes' : '',
    ...backends.map((backend) => takenBy(field, backend)),
    remarks(field),
  ]);
  return [table(['Field', 'Type', 'Allowed', 'Required', ...backends, 'Remarks'], rows)];
}

function takenBy({ targets }: Field, backend: string): string {
  const taken = targets[backend];
  if (taken === undefined) return 'refused';
  return taken === 'ignored' ? 'ignored' : 'yes';
}

function remarks({ schema, note, immutable }: Field): string {
  const description = typeof schema['description'] === 'string' ? schema['description'] : '';
  return [description, note ?? '', immutable ? 'It cannot be changed.' : ''].filter((text) => text !== '').join(' ');
}
