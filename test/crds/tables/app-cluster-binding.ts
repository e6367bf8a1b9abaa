import { type AppClusterBinding, appClusterBindingCrd, type KonnectorOverrides } from '@klutch/api';
import { accepted, creating, refused, type Row, updating, yields } from '../row.ts';
import type { Table } from '../table.ts';
import { conditionRows } from './conditions.ts';
import { groupResourceRows } from './group-resource.ts';
import { clusterSecretKeyRefRows } from './secret-key-ref.ts';

const plain = {
  apiVersion: 'klutch.anynines.com/v1alpha1',
  kind: 'AppClusterBinding',
  metadata: { name: 'prod' },
  spec: {
    kubeconfigSecretRef: { name: 'prod', namespace: 'team', key: 'kubeconfig' },
    apiExports: [{ group: 'example.org', resource: 'widgets' }],
  },
} as const satisfies AppClusterBinding;

const overrides = 'spec.konnector.overrides';
const probe = { httpGet: { path: '/healthz', port: 8080 }, periodSeconds: 5 };

/** Every field of a container. */
const everything = {
  name: 'konnector',
  image: 'example.org/konnector:v2',
  command: ['/konnector'],
  args: ['--v=2'],
  workingDir: '/',
  ports: [{ containerPort: 8080, protocol: 'TCP', name: 'health', hostIP: '127.0.0.1', hostPort: 8080 }],
  envFrom: [{ prefix: 'A_', configMapRef: { name: 'settings' } }],
  env: [
    { name: 'A', value: 'b' },
    { name: 'POD', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
  ],
  resources: { limits: { cpu: 1, memory: '1Gi' }, requests: { cpu: '100m' }, claims: [{ name: 'gpu' }] },
  restartPolicy: 'Always',
  volumeMounts: [
    {
      mountPath: '/data',
      name: 'data',
      readOnly: true,
      recursiveReadOnly: 'Disabled',
      subPath: 'a',
      subPathExpr: '$(POD)',
      mountPropagation: 'None',
    },
  ],
  volumeDevices: [{ devicePath: '/dev/x', name: 'disk' }],
  livenessProbe: probe,
  readinessProbe: probe,
  startupProbe: probe,
  lifecycle: { preStop: { sleep: { seconds: 1 } } },
  terminationMessagePath: '/dev/termination-log',
  terminationMessagePolicy: 'File',
  imagePullPolicy: 'Always',
  securityContext: { runAsNonRoot: true, capabilities: { drop: ['ALL'] } },
  stdin: true,
  stdinOnce: true,
  tty: true,
} as const satisfies KonnectorOverrides;

/** What holds for `konnector.overrides`. */
const overrideRows: readonly Row[] = [
  creating('accepts overrides that change nothing', { [overrides]: {} }, accepted),
  creating('keeps every field of a container', { [overrides]: everything }, yields({ [overrides]: everything })),
  creating(
    'takes a port for TCP unless it says otherwise',
    { [`${overrides}.ports`]: [{ containerPort: 53 }] },
    yields({ [`${overrides}.ports[0].protocol`]: 'TCP' }),
  ),
  creating(
    'tells ports apart by number and protocol',
    { [`${overrides}.ports`]: [{ containerPort: 53 }, { containerPort: 53, protocol: 'UDP' }] },
    accepted,
  ),
  creating(
    'refuses the same port twice',
    { [`${overrides}.ports`]: [{ containerPort: 53 }, { containerPort: 53, protocol: 'TCP' }] },
    refused(`${overrides}.ports[1]`, 'Duplicate'),
  ),
  ...(
    [
      ['env', { name: 'A' }],
      ['volumeMounts', { mountPath: '/a' }],
      ['volumeDevices', { devicePath: '/dev/a' }],
    ] as const
  ).map(([list, entry]) =>
    creating(
      `refuses the same entry of ${list} twice`,
      { [`${overrides}.${list}`]: [entry, entry] },
      refused(`${overrides}.${list}[1]`, 'Duplicate'),
    ),
  ),
];

const rows: readonly Row[] = [
  creating('requires spec', { spec: undefined }, refused('spec', 'Required')),
  ...clusterSecretKeyRefRows,
  creating('accepts to bind nothing yet', { 'spec.apiExports': undefined }, accepted),
  ...groupResourceRows('spec.apiExports[0]'),
  updating('accepts other APIs', {}, { 'spec.apiExports': [{ resource: 'gadgets', group: 'example.org' }] }, accepted),
  creating(
    'accepts to deploy a konnector',
    { 'spec.konnector.deploy': true },
    yields({ 'spec.konnector.deploy': true }),
  ),
  creating('does not deploy one by default', {}, yields({ 'spec.konnector': undefined })),
  updating(
    'accepts to stop deploying it',
    { 'spec.konnector.deploy': true },
    { 'spec.konnector.deploy': false },
    accepted,
  ),
  ...overrideRows,
  ...conditionRows,
];

export const appClusterBinding: Table = { crd: appClusterBindingCrd, plain, rows };
