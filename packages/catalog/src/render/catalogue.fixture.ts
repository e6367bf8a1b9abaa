import type { Backend, Catalogue, Composed, Field, Offer, Operation, Plan, Service } from '../model/catalogue.ts';

/** A catalogue of two services on two backends, with one operation: small, but with every piece that is rendered. */
export function smallCatalogue(): Catalogue {
  return { services: [database(), bucket()], backends: [operator(), vendor()], operations: [backup()] };
}

export function field(name: string, given: Partial<Field> = {}): Field {
  return { name, schema: { type: 'string' }, required: false, immutable: false, targets: {}, ...given };
}

export function plan(name: string, given: Partial<Plan> = {}): Plan {
  return { name, traits: {}, backends: ['op'], limits: {}, retired: false, ...given };
}

export function composed(given: Partial<Composed> = {}): Composed {
  return { through: 'resource', base: {}, patches: [], status: [], ...given };
}

function offer(kind: string): Offer {
  return {
    group: 'example.org',
    kind,
    plural: `${kind.toLowerCase()}s`,
    displayName: kind,
    description: `${kind} for tests.`,
    defaultBackend: 'op',
    columns: [],
    fields: [],
    requirements: [],
    claims: [],
  };
}

export function database(given: Partial<Service> = {}): Service {
  return {
    ...offer('Database'),
    name: 'database',
    documentation: 'https://example.org/database',
    deletePolicy: 'Foreground',
    columns: [{ name: 'State', type: 'string', jsonPath: '.status.managed.state' }],
    versions: [
      { name: 'db1', backends: ['op'], retired: true },
      { name: 'db2', backends: ['op', 'vendor'], retired: false },
    ],
    traits: [{ name: 'size', values: ['nano', 'big'], change: 'grow' }],
    plans: [
      plan('old', { traits: { size: 'nano' }, retired: true }),
      plan('nano', { traits: { size: 'nano' }, cost: '2 EUR', limits: { memory: '1Gi' } }),
      plan('big', { traits: { size: 'big' }, backends: ['op', 'vendor'] }),
    ],
    planChange: 'by-traits',
    fields: [
      field('expose', { targets: { op: [{ to: 'spec.expose', transforms: [] }], vendor: 'ignored' } }),
      field('region', { required: true, note: 'Where it runs.', targets: { op: 'ignored', vendor: 'ignored' } }),
    ],
    parameters: [
      field('logLevel', {
        schema: { type: 'string', enum: ['LOG', 'DEBUG'] },
        targets: {
          op: [{ to: 'log.level', transforms: [{ is: 'lower-case' }] }],
          vendor: [{ to: 'log-level', transforms: [] }],
        },
      }),
      field('ciphers', { targets: { op: [{ to: 'ciphers', transforms: [] }] } }),
    ],
    backends: [
      {
        name: 'op',
        composed: composed({
          through: 'object',
          base: { apiVersion: 'db.example.org/v1', kind: 'Db', spec: { expose: 'Internal' } },
          patches: [
            {
              from: 'spec.plan',
              to: 'spec.memory',
              transforms: [{ is: 'trait', trait: 'size', values: { nano: '1Gi', big: '8Gi' } }],
            },
          ],
          status: [{ from: 'status.state', to: 'state' }],
          ready: "has(object.status) && object.status.state == 'Running'",
        }),
        parametersAt: 'spec.parameters',
        operations: ['backup'],
        credentials: ['username', 'password'],
      },
      {
        name: 'vendor',
        composed: composed({
          base: { apiVersion: 'vendor.example.org/v1', kind: 'Instance', spec: { size: 1 } },
          patches: [{ from: 'spec.plan', to: 'spec.forProvider.plan', transforms: [] }],
          status: [{ from: 'status.conditions', to: 'conditions' }],
        }),
        parametersAt: 'spec.forProvider.parameters',
        operations: [],
        credentials: [],
      },
    ],
    ...given,
  };
}

/** A service of a vendor without versions and plans. */
function bucket(): Service {
  return {
    ...offer('Bucket'),
    name: 'bucket',
    defaultBackend: 'vendor',
    versions: [],
    traits: [],
    plans: [],
    planChange: 'by-traits',
    parameters: [],
    backends: [{ name: 'vendor', composed: composed(), parametersAt: 'spec', operations: [], credentials: [] }],
  };
}

function backup(): Operation {
  return {
    ...offer('Backup'),
    name: 'backup',
    fields: [
      field('instanceRef', { required: true, targets: { op: [{ to: 'spec.instance', transforms: [] }] } }),
      field('serviceInstanceType', {
        required: true,
        schema: { type: 'string', enum: ['database'] },
        targets: { op: 'ignored', vendor: 'ignored' },
      }),
    ],
    claims: [{ group: '', resource: 'secrets', version: 'v1', owner: 'Provider' }],
  };
}

function operator(): Backend {
  return {
    name: 'op',
    displayName: 'Operator',
    description: 'An operator in the control plane.',
    operations: {
      backup: composed({ through: 'object', base: { apiVersion: 'db.example.org/v1', kind: 'DbBackup' } }),
    },
    providerConfigs: [
      {
        apiVersion: 'kubernetes.crossplane.io/v1alpha1',
        kind: 'ProviderConfig',
        metadata: { name: 'kubernetes-provider' },
      },
    ],
  };
}

function vendor(): Backend {
  return { name: 'vendor', displayName: 'Vendor', description: 'An API.', operations: {}, providerConfigs: [] };
}
