import { finalizers } from '@klutch/api';
import type { Interceptor, KubeClient, KubeRequest } from '@klutch/kube';
import { eventually } from '@klutch/kube/testing';
import { widget } from '../konnector/app-side.ts';
import type { Story } from './story.ts';
import { SecretType, type World } from './world.ts';

/** A defect that a konnector might have: what it does with some of its writes. */
export interface Defect {
  readonly title: string;
  /** Which writes it concerns. */
  readonly when: (request: KubeRequest, story: Story) => boolean;
  /** Done once, after the write; undefined: such writes are never sent, but answered as if they had been. */
  readonly afterwards?: (world: World, story: Story) => Promise<unknown>;
  /** What the check has to find. */
  readonly found: RegExp;
}

/** A story with one write of each kind, so that each defect has its chance. */
export async function playScript({ api, controlPlane }: World, story: Story): Promise<void> {
  const { user, provider, giver, appNamespace, serviceNamespace } = story;
  const copies = controlPlane.admin.resource(api.type);
  const shows = (name: string) =>
    eventually(() => copies.find({ namespace: serviceNamespace, name }), { withinMs: 30_000, everyMs: 20 });
  await user.create(widget(api, 'one', appNamespace, { size: 1 }));
  await user.create(widget(api, 'two', appNamespace, { size: 1 }));
  await Promise.all([shows('one'), shows('two')]);
  await user.patch('one', { spec: { size: 2 } });
  await provider.patch('one', { status: { phase: 'old' } }, { subresource: 'status' });
  await provider.patch('one', { status: { phase: 'new' } }, { subresource: 'status' });
  const metadata = { namespace: serviceNamespace, name: 'creds' };
  await giver.create({ apiVersion: 'v1', kind: 'Secret', metadata, data: { password: oldPassword } });
  await giver.patch('creds', { data: { password: newPassword } });
  await user.delete('two');
}

const oldPassword = Buffer.from('old').toString('base64');
const newPassword = Buffer.from('new').toString('base64');

/** Most leave both sides equal, so that only the memory of what was written can tell. */
export const defects: readonly Defect[] = [
  {
    title: 'never sends the last spec',
    when: (request, { serviceNamespace }) => isPatchOf(request, serviceNamespace, 'widgets/one', '"size":2'),
    found: /copy one against its claim/,
  },
  {
    title: 'puts an old spec back',
    when: (request, { serviceNamespace }) => isPatchOf(request, serviceNamespace, 'widgets/one', '"size":2'),
    afterwards: (world, { appNamespace }) => patchOne(world, world.app.admin, appNamespace, { spec: { size: 1 } }),
    found: /claim one is .*"size":1.*last written as .*"size":2/,
  },
  {
    title: 'deletes a claim on both sides',
    when: (request, { serviceNamespace }) => isPatchOf(request, serviceNamespace, 'widgets/one', '"size":2'),
    afterwards: ({ app, api }, { appNamespace: namespace }) =>
      app.admin.resource(api.type).delete({ namespace, name: 'one' }),
    found: /claim one is .*(absent|"isEnding":true).*last written as .*"size":2/,
  },
  {
    title: 'swallows a deletion',
    when: ({ method, path }, { serviceNamespace }) => method === 'DELETE' && path.includes(`/${serviceNamespace}/`),
    found: /claim two is .*"isEnding":true.*last written as \["absent"\]/,
  },
  {
    title: 'brings a deleted claim back',
    when: (request, { appNamespace }) =>
      isPatchOf(request, appNamespace, 'widgets/two', 'finalizers') && !request.body?.includes(finalizers.syncer),
    afterwards: ({ app, api }, { appNamespace }) =>
      app.admin.resource(api.type).create(widget(api, 'two', appNamespace, { size: 1 })),
    found: /claim two is .*last written as \["absent"\]/,
  },
  {
    title: 'puts an old status back',
    when: (request, { appNamespace }) => isPatchOf(request, appNamespace, 'widgets/one/status', '"new"'),
    afterwards: (world, { serviceNamespace }) =>
      patchOne(world, world.controlPlane.admin, serviceNamespace, { status: { phase: 'old' } }),
    found: /report on one is .*"old".*last written as .*"new"/,
  },
  {
    title: 'puts an old Secret back',
    when: (request, { appNamespace }) => request.path.includes(`/${appNamespace}/secrets`) && request.method !== 'GET',
    afterwards: ({ controlPlane }, { serviceNamespace: namespace }) =>
      controlPlane.admin
        .resource(SecretType)
        .patch({ namespace, name: 'creds' }, { type: 'merge', patch: { data: { password: oldPassword } } }),
    found: /Secret creds is .*last written as/,
  },
];

/** Gives a konnector a defect in the namespaces of each story that has one. */
export function sabotage(world: World, sabotaged: ReadonlyMap<Story, Defect | undefined>): Interceptor {
  const done = new Set<Story>();
  return (next) => async (request) => {
    const [story, defect] = [...sabotaged].find(([one, its]) => its?.when(request, one)) ?? [];
    if (!story || !defect) return next(request);
    if (!defect.afterwards)
      return next({ ...request, method: 'GET', path: request.path.replace(/\?.*/, ''), body: undefined });
    const response = await next(request);
    if (!done.has(story)) {
      done.add(story);
      await defect.afterwards(world, story);
    }
    return response;
  };
}

function isPatchOf({ method, path, body }: KubeRequest, namespace: string, object: string, text: string): boolean {
  const [place = ''] = path.split('?');
  return method === 'PATCH' && place.endsWith(`/${namespace}/${object}`) && (body?.includes(text) ?? false);
}

function patchOne({ api }: World, admin: KubeClient, namespace: string, patch: object): Promise<unknown> {
  const options = 'status' in patch ? { subresource: 'status' } : {};
  return admin.resource(api.type).patch({ namespace, name: 'one' }, { type: 'merge', patch }, options);
}
