import { Namespaces, Secrets } from '@klutch/kube';
import { widget } from '../konnector/world.ts';
import type { Step } from './go-konnector.ts';
import type { Stage } from './stage.ts';

/** Does what user or provider did in a step of the recording. */
export async function act(step: Step, stage: Stage): Promise<void> {
  await actions[step](stage);
}

const status = { subresource: 'status' } as const;

const actions: Record<Step, (stage: Stage) => Promise<unknown>> = {
  'CLI binds': (stage) => stage.bind(),
  'user creates widget w1 (first in namespace team-a)': async ({ clusters: { app }, api, appNamespace }) => {
    await app.admin
      .resource(Namespaces)
      .create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: appNamespace } });
    const spec = { service: 's', plan: 'p', size: 1, tags: ['x'], params: { k: 'v' } };
    const w1 = widget(api, 'w1', appNamespace, spec);
    await app.admin.resource(api.type).create({ ...w1, metadata: { ...w1.metadata, labels: { team: 'a' } } });
  },
  'user edits spec.size': (stage) => patchOriginal(stage, { spec: { size: 2 } }),
  'user removes spec.tags': (stage) => patchOriginal(stage, { spec: { tags: null } }),
  'provider sets status': (stage) => patchCopy(stage, { status: { phase: 'Ready' } }, status),
  'someone edits the copy': (stage) => patchCopy(stage, { spec: { size: 99 } }),
  'provider creates a secret': async (stage) => {
    const { admin } = stage.clusters.controlPlane;
    return await admin.resource(Secrets).create({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'creds', namespace: serviceNamespace(stage) },
      type: 'Opaque',
      data: { password: 'cDE=' },
    });
  },
  'provider changes the secret': (stage) =>
    stage.clusters.controlPlane.admin
      .resource(Secrets)
      .patch(
        { namespace: serviceNamespace(stage), name: 'creds' },
        { type: 'merge', patch: { data: { password: 'cDI=' } } },
      ),
  'user deletes the secret in the app cluster': ({ clusters: { app }, appNamespace }) =>
    app.admin.resource(Secrets).delete({ namespace: appNamespace, name: 'creds' }),
  'provider deletes the secret': (stage) =>
    stage.clusters.controlPlane.admin.resource(Secrets).delete({ namespace: serviceNamespace(stage), name: 'creds' }),
  'provider creates widget w2 (adoption)': (stage) =>
    stage.clusters.controlPlane.admin
      .resource(stage.api.type)
      .create(widget(stage.api, 'w2', serviceNamespace(stage), { size: 4 })),
  'user deletes w1': ({ clusters: { app }, api, appNamespace }) =>
    app.admin.resource(api.type).delete({ namespace: appNamespace, name: 'w1' }),
  'schema gains a field': ({ side }) => side.extendSchema(),
};

/** The namespace of the copies. */
export function serviceNamespace({ cast }: Stage): string {
  return cast.textOf('<service-namespace>');
}

async function patchOriginal({ clusters: { app }, api, appNamespace }: Stage, patch: object): Promise<void> {
  await app.admin.resource(api.type).patch({ namespace: appNamespace, name: 'w1' }, { type: 'merge', patch });
}

async function patchCopy(stage: Stage, patch: object, options?: { readonly subresource: string }): Promise<void> {
  const ref = { namespace: serviceNamespace(stage), name: 'w1' };
  const copies = stage.clusters.controlPlane.admin.resource(stage.api.type);
  await copies.patch(ref, { type: 'merge', patch }, options);
}
