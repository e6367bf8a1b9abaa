import type { KubeObject } from '@klutch/kube';
import { expectAsRecorded } from './as-recorded.ts';
import { type Played, type Player, replay } from './replay.ts';
import { theRequest } from './recording.ts';

const inKlutchBind = '/apis/klutch.anynines.com/v1alpha1/namespaces/klutch-bind';
const secrets = '/api/v1/namespaces/klutch-bind/secrets';

/** After the login: stores the kubeconfig in the app cluster. */
export async function storeKubeconfig(app: Player): Promise<string> {
  const played = await replay(theRequest('go-cli.app-cluster', { verb: 'create', uri: secrets }), app);
  const name = (played.answer as KubeObject).metadata.name ?? '';
  app.cast.assign('kubeconfig-4pn9f', name);
  expectAsRecorded(played, app.cast);
  return name;
}

/** Asks the control plane for the export, as the tenant. */
export async function requestExport(binder: Player): Promise<void> {
  const uri = '/apis/klutch.anynines.com/v1alpha1/namespaces/<tenant-namespace>/apiserviceexportrequests';
  const played = await replay(theRequest('go-cli.control-plane', { verb: 'create', uri }), binder);
  expectAsRecorded(played, binder.cast);
}

/** Creates the binding. */
export async function createBinding(app: Player): Promise<void> {
  const create = theRequest('go-cli.app-cluster', { verb: 'create', uri: `${inKlutchBind}/apiservicebindings` });
  expectAsRecorded(await replay(create, app), app.cast);
}

/** The CLI's own status of a new binding. In the recording the konnector was faster; here it may lose. */
export async function markPending(app: Player): Promise<Played> {
  const uri = `${inKlutchBind}/apiservicebindings/widgets.example.org/status`;
  const recorded = theRequest('go-cli.app-cluster', { verb: 'update', uri });
  return await replay({ ...recorded, status: 200 }, app);
}
