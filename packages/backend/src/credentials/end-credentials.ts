import { controlPlane as names } from '@klutch/api';
import { type CallOptions, type KubeClient, Secrets } from '@klutch/kube';
import { excusing } from '../objects/excusing.ts';
import { ServiceAccounts } from '../objects/service-account.ts';
import { type Place, readStock } from './stock.ts';

/**
 * Ends every credential of an app cluster: with the account end all tokens that were ever issued for it, also those that
 * never expire, since another account of the same name has another UID. What tokens were bound to goes, too.
 */
export async function endCredentials(client: KubeClient, place: Place, call: CallOptions = {}): Promise<void> {
  const { namespace } = place;
  const { account, anchors, legacy } = await readStock(client, place, call.signal);
  if (account) {
    const accounts = client.resource(ServiceAccounts);
    await unlessGone(accounts.delete({ namespace, name: names.binder }, { ...call, preconditions: account }));
  }
  const secrets = client.resource(Secrets);
  for (const { name, uid } of [...anchors, ...(legacy ? [legacy] : [])]) {
    await unlessGone(secrets.delete({ namespace, name }, { ...call, preconditions: { uid } }));
  }
}

function unlessGone(deletion: Promise<void>): Promise<void> {
  return excusing(deletion, 'KUBE_NOT_FOUND', 'KUBE_CONFLICT');
}
