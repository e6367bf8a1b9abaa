import { readFileSync } from 'node:fs';
import type { CustomResourceDefinition } from '@klutch/api';
import { eventually, type PlaneAccess } from '@klutch/kit';
import { parse } from 'yaml';

const collection = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

/** Applies a generated manifest, as `kubectl apply --server-side` does, and waits until the kind is served. */
export async function installCrd(plane: PlaneAccess, file: string): Promise<CustomResourceDefinition> {
  const manifest = manifestOf(file);
  const path = `${collection}/${manifest.metadata.name}`;
  const { status, body } = await plane.admin.request<CustomResourceDefinition & { readonly message?: string }>(
    'PATCH',
    `${path}?fieldManager=test&fieldValidation=Strict`,
    { body: manifest, contentType: 'application/apply-patch+yaml' },
  );
  if (status >= 300) throw new Error(`${file} is refused: ${body.message}`);
  const { group, names } = manifest.spec;
  const served = async () =>
    (await plane.admin.request('GET', `/apis/${group}/v1alpha1/${names.plural}`)).status === 200;
  await eventually(served, { what: `${names.plural} of ${group} are served` });
  return eventually(async () => established(await currentCrd(plane, path)), { what: `${file} is established` });
}

/** Deletes the CRD of a manifest and waits until it is gone. */
export async function removeCrd(plane: PlaneAccess, file: string): Promise<void> {
  const path = `${collection}/${manifestOf(file).metadata.name}`;
  await plane.admin.request('DELETE', path);
  await eventually(async () => (await plane.admin.request('GET', path)).status === 404, { what: `${file} is gone` });
}

function manifestOf(file: string): CustomResourceDefinition {
  const url = new URL(`../../packages/api/crds/${file}`, import.meta.url);
  return parse(readFileSync(url, 'utf8')) as CustomResourceDefinition;
}

async function currentCrd(plane: PlaneAccess, path: string): Promise<CustomResourceDefinition> {
  return (await plane.admin.request<CustomResourceDefinition>('GET', path)).body;
}

function established(crd: CustomResourceDefinition): CustomResourceDefinition | undefined {
  const holds = (type: string) =>
    crd.status?.conditions?.some((condition) => condition.type === type && condition.status === 'True');
  return holds('Established') && holds('NamesAccepted') ? crd : undefined;
}
