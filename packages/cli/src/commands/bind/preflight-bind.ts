import { apiServiceBindingCrd, appCluster as names, CustomResourceDefinitions, group } from '@klutch/api';
import { type Namespace, Secrets } from '@klutch/kube';
import { type Right, requireRights } from '../../cluster/preflight.ts';
import { checkRoles, mayDoEverything, rightsFor, withoutRights } from '../../manifests/install-konnector.ts';
import { allBindings, servedFor } from '../../manifests/served-by-konnector.ts';
import type { Session } from './session.ts';

/**
 * Asks for all rights that binding needs in the app cluster, before the user is sent to log in. Throws
 * `KLUTCH_PERMISSION_MISSING`, naming them.
 */
export async function preflightBind(session: Session, namespace: Namespace | undefined): Promise<void> {
  const { app, konnector, signal, dryRun } = session;
  if (dryRun === 'all') return;
  const crds = app.client.resource(CustomResourceDefinitions);
  const readsCrds: Right[] = [{ verb: 'get', group: crdGroup, resource: 'customresourcedefinitions' }];
  await requireRights(app.client, [...readsCrds, ...secretRights(namespace)], withoutRights, signal);
  if (dryRun === 'request') return;
  const isMissing = (await crds.find({ name: apiServiceBindingCrd.metadata.name ?? '' }, { signal })) === undefined;
  const isComplete = await mayDoEverything(app.client, konnector, signal);
  const more = [...(isMissing ? [createsCrds] : []), ...(isComplete ? [] : rightsFor(konnector))];
  await requireRights(app.client, [...bindingRights, ...more], withoutRights, signal);
  if (!isComplete)
    await checkRoles(app.client, konnector, servedFor(await allBindings(app.client, signal)), { signal });
}

const crdGroup = CustomResourceDefinitions.group;
const createsCrds: Right = { verb: 'create', group: crdGroup, resource: 'customresourcedefinitions' };

function secretRights(namespace: Namespace | undefined): readonly Right[] {
  const secrets = { group: Secrets.group, resource: Secrets.plural, namespace: names.namespace };
  const creation: Right = { verb: 'create', group: '', resource: 'namespaces' };
  return [
    ...(namespace === undefined ? [creation] : []),
    ...['list', 'create', 'patch'].map((verb) => ({ ...secrets, verb })),
  ];
}

const bindings = { group, resource: 'apiservicebindings' };
const bindingRights: readonly Right[] = [
  { ...bindings, verb: 'list' },
  ...['get', 'create', 'patch'].map((verb) => ({ ...bindings, verb, namespace: names.namespace })),
];
