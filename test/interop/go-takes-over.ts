import type { KubeObject, UnknownObject } from '@klutch/kube';
import { type RecordedObject, type RecordedRequest, theRequest } from './recording.ts';
import { type Played, replay } from './replay.ts';
import type { Stage } from './stage.ts';

const klutch = '/apis/klutch.anynines.com/v1alpha1/namespaces';
const copies = '/apis/example.org/v1/namespaces/<service-namespace>/widgets';
const originals = '/apis/example.org/v1/namespaces/team-a/widgets';
const crds = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

/**
 * What a Go konnector sends about things that are there already, in its recorded form, but with the objects in it that
 * it would have in its caches: those of whoever worked before it.
 */
export function goTakesOver(stage: Stage) {
  const { app, controlPlane } = stage.konnector;
  const { clusters, api, appNamespace } = stage;

  async function original(name: string): Promise<UnknownObject> {
    return await clusters.app.admin.resource(api.type).get({ namespace: appNamespace, name });
  }

  return {
    /** Sends a heartbeat. */
    heartbeat: () =>
      replay(
        konnectorRequest('control-plane', {
          verb: 'patch',
          uri: `${klutch}/<tenant-namespace>/clusterbindings/cluster/status`,
        }),
        controlPlane,
      ),
    /** Writes the whole CRD, with the metadata that it has. */
    writeCrd: () =>
      replay(
        konnectorRequest('app-cluster', {
          verb: 'update',
          uri: `${crds}/widgets.example.org`,
          status: 200,
          step: 'CLI binds',
        }),
        app,
        { adapt: (body, current) => ({ ...body, metadata: { ...current?.metadata } }) },
      ),
    /** Writes the whole kubeconfig Secret, with the metadata that it has. */
    writeKubeconfig: () =>
      replay(
        konnectorRequest('app-cluster', {
          verb: 'update',
          uri: '/api/v1/namespaces/klutch-bind/secrets/kubeconfig-4pn9f',
        }),
        app,
        { adapt: (body, current) => ({ ...body, metadata: { ...current?.metadata } }) },
      ),
    /** Applies the cached copy with the spec of the original. */
    applySpec: async (name: string): Promise<Played> => {
      const { spec } = await original(name);
      const recorded = konnectorRequest('control-plane', {
        step: 'user edits spec.size',
        uri: `${copies}/w1?fieldManager=klutch.anynines.com&force=true`,
      });
      return await replay(about(name, recorded), controlPlane, {
        adapt: (_, current) => cached(current, { spec }),
      });
    },
    /** Writes the cached original with the status of the copy. */
    writeStatus: async (name: string, status: object): Promise<Played> => {
      const recorded = konnectorRequest('app-cluster', { step: 'provider sets status', uri: `${originals}/w1/status` });
      return await replay(about(name, recorded), app, { adapt: (_, current) => cached(current, { status }) });
    },
    /** Overwrites the copy of a Secret with the original, all metadata included. */
    writeSecret: (content: object): Promise<Played> =>
      replay(
        konnectorRequest('app-cluster', {
          step: 'provider changes the secret',
          verb: 'update',
          uri: '/api/v1/namespaces/team-a/secrets/creds',
        }),
        app,
        { adapt: (body) => ({ ...body, ...content }) },
      ),
    /** The copy of an original that the user deletes. */
    deleteCopy: (name: string): Promise<Played> =>
      replay(about(name, konnectorRequest('control-plane', { step: 'user deletes w1', verb: 'delete' })), controlPlane),
    /** Takes the finalizer off an original that the user deletes. */
    release: (name: string): Promise<Played> =>
      replay(about(name, konnectorRequest('app-cluster', { step: 'user deletes w1', verb: 'update' })), app, {
        adapt: (_, current) => {
          const whole = cached(current, {});
          const { finalizers: _finalizers, ...metadata } = whole.metadata ?? {};
          return { ...whole, metadata };
        },
      }),
    /** The adoption that addresses the wrong cluster. */
    writeToWrongCluster: (): Promise<Played> =>
      replay(konnectorRequest('app-cluster', { verb: 'update', uri: `${copies}/w1` }), app),
  };
}

function konnectorRequest(cluster: 'app-cluster' | 'control-plane', wanted: Partial<RecordedRequest>): RecordedRequest {
  return theRequest(`go-konnector.${cluster}`, wanted);
}

/** The same request for another object than w1. */
function about(name: string, request: RecordedRequest): RecordedRequest {
  return JSON.parse(JSON.stringify(request).replaceAll('w1', name)) as RecordedRequest;
}

/** The object as a Go cache has it, with some parts replaced. */
function cached(current: KubeObject | undefined, parts: object): RecordedObject {
  if (!current) throw new Error('There is nothing that could be in a cache.');
  const { managedFields: _, ...metadata } = current.metadata;
  return { ...current, ...parts, metadata: { ...metadata } };
}
