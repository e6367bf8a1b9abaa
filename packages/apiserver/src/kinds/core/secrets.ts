import type { ApiObject } from '../../objects/api-object.ts';
import { invalid, required } from '../../schema/fields/field-error.ts';
import { key as keyPath } from '../../schema/fields/field-path.ts';
import type { FieldCause } from '../../status/status-error.ts';
import { ageColumn, column, nameColumn } from '../columns.ts';
import { defineKind } from '../define-kind.ts';
import { keyCauses, sizeCauses } from './config-keys.ts';
import { immutableCauses } from './immutable-data.ts';
import { jsonProblem } from './json-problem.ts';

interface Secret extends ApiObject {
  data?: Record<string, string>;
  stringData?: Record<string, string>;
  type?: string;
}

const ACCOUNT_ANNOTATION = 'kubernetes.io/service-account.name';

/** What secrets of some types must have. */
const typeRules: Readonly<Record<string, (secret: Secret) => readonly FieldCause[]>> = {
  'kubernetes.io/service-account-token': ({ metadata }) =>
    metadata.annotations?.[ACCOUNT_ANNOTATION] ? [] : [required(keyPath('metadata.annotations', ACCOUNT_ANNOTATION))],
  'kubernetes.io/dockercfg': (object) => dockerCauses(object, '.dockercfg'),
  'kubernetes.io/dockerconfigjson': (object) => dockerCauses(object, '.dockerconfigjson'),
  'kubernetes.io/basic-auth': ({ data = {} }) =>
    'username' in data || 'password' in data ? [] : missing(['username', 'password']),
  'kubernetes.io/ssh-auth': ({ data = {} }) => (data['ssh-privatekey'] ? [] : missing(['ssh-privatekey'])),
  'kubernetes.io/tls': ({ data = {} }) => missing(['tls.crt', 'tls.key'].filter((key) => !(key in data))),
};

function missing(keys: readonly string[]): readonly FieldCause[] {
  return keys.map((key) => required(keyPath('data', key)));
}

function dockerCauses({ data = {} }: Secret, key: string): readonly FieldCause[] {
  const content = data[key];
  if (content === undefined) return missing([key]);
  const problem = jsonProblem(Buffer.from(content, 'base64').toString());
  return problem === undefined ? [] : [invalid(keyPath('data', key), '<secret contents redacted>', problem)];
}

function causes(object: Secret): readonly FieldCause[] {
  const { data = {}, type = '' } = object;
  const size = Object.values(data).reduce((sum, value) => sum + Buffer.byteLength(value, 'base64'), 0);
  return [...keyCauses(data, 'data'), ...sizeCauses(size, 'data'), ...(typeRules[type]?.(object) ?? [])];
}

function typeCauses({ type }: Secret, old: Secret): readonly FieldCause[] {
  return type === old.type ? [] : [invalid('type', type, 'field is immutable')];
}

export const secrets = defineKind({
  group: '',
  resource: 'secrets',
  columns: [
    nameColumn,
    column('Type', 'What the data is for.', ({ type }: Secret) => type ?? ''),
    column('Data', 'How many entries there are.', ({ data = {} }: Secret) => Object.keys(data).length),
    ageColumn,
  ],
  selectableFields: { type: (object) => (object as Secret).type ?? '' },
  strategy: {
    validateCreate: (object) => causes(object),
    validateUpdate: (object, old) => [
      ...typeCauses(object, old),
      ...immutableCauses(object, old, ['data']),
      ...causes(object),
    ],
  },
  fillIn: (object) => {
    const filled = object as Secret;
    filled.type ||= 'Opaque';
    if (filled.stringData === undefined) return;
    const texts = Object.entries(filled.stringData).map(([key, value]) => [key, Buffer.from(value).toString('base64')]);
    filled.data = { ...filled.data, ...(Object.fromEntries(texts) as Record<string, string>) };
    delete filled.stringData;
  },
});
