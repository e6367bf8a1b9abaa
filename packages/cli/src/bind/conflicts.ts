import {
  annotations,
  type APIServiceBinding,
  appCluster as names,
  type CustomResourceDefinition,
  group,
  isOwnedByBinding,
  KlutchError,
} from '@klutch/api';
import type { Secret } from '@klutch/kube';
import { type SecretPlan, targetOf } from './kubeconfig-secret.ts';

/** What an app cluster has already of an API that is to be bound. */
export interface Existing {
  /** `<resource>.<group>` */
  readonly api: string;
  readonly binding?: APIServiceBinding;
  readonly crd?: CustomResourceDefinition;
}

/**
 * Pure: refuses an API that is bound through another connection (`KLUTCH_BINDING_EXISTS`) or whose CRD belongs to somebody
 * else (`KLUTCH_CRD_FOREIGN`). Both say how to get out of it.
 */
export function refuseConflicts(existing: Existing, plan: SecretPlan, secrets: readonly Secret[]): void {
  const { api, binding, crd } = existing;
  if (binding !== undefined && !refersTo(binding, plan)) throw boundElsewhere(api, binding, secrets);
  if (crd !== undefined && !isOurs(crd, binding)) throw foreignCrd(api);
}

function refersTo({ spec }: APIServiceBinding, plan: SecretPlan): boolean {
  const { namespace, name } = spec?.kubeconfigSecretRef ?? {};
  return plan.action !== 'create' && namespace === names.namespace && name === plan.name;
}

/**
 * Whether a CRD was made for this binding, or left behind by an earlier one of the same name. Which tenant the earlier one
 * belonged to is for the konnector to compare.
 */
function isOurs({ metadata }: CustomResourceDefinition, binding: APIServiceBinding | undefined): boolean {
  if (binding !== undefined && isOwnedByBinding({ metadata }, binding)) return true;
  const owners = metadata.ownerReferences ?? [];
  const isLeftBehind = owners.some(
    ({ kind, apiVersion, name }) =>
      kind === 'APIServiceBinding' && apiVersion.startsWith(`${group}/`) && name === metadata.name,
  );
  return isLeftBehind || metadata.annotations?.[annotations.released] !== undefined;
}

function boundElsewhere(api: string, { spec }: APIServiceBinding, secrets: readonly Secret[]): KlutchError {
  const { namespace = '', name = '' } = spec?.kubeconfigSecretRef ?? {};
  const secret = secrets.find(({ metadata }) => metadata.namespace === namespace && metadata.name === name);
  const target = secret && targetOf(secret);
  const where = target ? `, which leads to ${target.host}, namespace ${target.namespace}` : '';
  const message = `Cannot bind ${api}: it is already bound through Secret ${namespace}/${name}${where}. Nothing was changed. To move it to this provider, remove it with \`klutch unbind ${api}\` and bind again; to refresh that connection, bind to the provider it belongs to.`;
  return new KlutchError('KLUTCH_BINDING_EXISTS', message);
}

function foreignCrd(api: string): KlutchError {
  const message = `Cannot bind ${api}: the app cluster has a CustomResourceDefinition of that name that was not made by a binding. Nothing was changed. Move its objects and delete it, or do not bind ${api} here.`;
  return new KlutchError('KLUTCH_CRD_FOREIGN', message);
}
