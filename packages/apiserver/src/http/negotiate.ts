import { StatusError } from '../status/status-error.ts';

/** The form in which a client wants its answer. */
export interface Wanted {
  readonly format: 'json' | 'yaml';
  /** Whole objects, their metadata alone, or rows of a table. */
  readonly as: 'object' | 'metadata' | 'metadata list' | 'table';
}

const whole: Wanted = { format: 'json', as: 'object' };

/**
 * Picks what the client likes best among what this server can send.
 *
 * @param builtIn whether the answer is about a built-in kind: a range that no representation fits is refused in other words
 */
export function negotiate(accept: string | undefined, builtIn: boolean): Wanted {
  if (accept === undefined || accept.trim() === '') return whole;
  const ranges = accept
    .split(',')
    .map(readRange)
    .sort((a, b) => b.quality - a.quality);
  for (const range of ranges) {
    const wanted = wantedBy(range);
    if (wanted) return wanted;
  }
  if (builtIn && !ranges.some(({ type }) => representations.includes(type))) {
    const message = `406: Not Acceptable\n\nAvailable representations: ${representations.join(', ')}`;
    throw new StatusError(406, 'NotAcceptable', message, {});
  }
  const message = 'only the following media types are accepted: application/json, application/yaml';
  throw new StatusError(406, 'NotAcceptable', message);
}

const representations: readonly string[] = [
  'application/json',
  'application/yaml',
  'application/vnd.kubernetes.protobuf',
];

interface Range {
  readonly type: string;
  readonly parameters: ReadonlyMap<string, string>;
  readonly quality: number;
}

function readRange(text: string): Range {
  const [type = '', ...rest] = text.split(';').map((part) => part.trim());
  const parameters = new Map(rest.map((part) => part.split('=', 2) as [string, string]));
  const quality = Number(parameters.get('q') ?? 1);
  return { type: type.toLowerCase(), parameters, quality: Number.isNaN(quality) ? 0 : quality };
}

function wantedBy({ type, parameters }: Range): Wanted | undefined {
  const format = formats[type];
  if (!format) return undefined;
  const as = parameters.get('as');
  if (as === undefined) return { format, as: 'object' };
  if (parameters.get('g') !== 'meta.k8s.io' || parameters.get('v') !== 'v1') return undefined;
  const form = forms[as];
  return form && { format, as: form };
}

const formats: Readonly<Record<string, Wanted['format']>> = {
  '*/*': 'json',
  'application/json': 'json',
  'application/yaml': 'yaml',
};

const forms: Readonly<Record<string, Wanted['as']>> = {
  Table: 'table',
  PartialObjectMetadata: 'metadata',
  PartialObjectMetadataList: 'metadata list',
};
