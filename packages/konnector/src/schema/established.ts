import type { CustomResourceDefinition } from '@klutch/api';

/** Whether the app cluster serves the CRD. */
export function isEstablished(crd: CustomResourceDefinition): boolean {
  return crd.status?.conditions?.some(({ type, status }) => type === 'Established' && status === 'True') ?? false;
}
