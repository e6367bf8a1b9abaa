import type { ApiObject } from '../objects/api-object.ts';

/** Finds the objects that service-account tokens speak about, as they are now. */
export interface TokenObjects {
  serviceAccount(namespace: string, name: string): ApiObject | undefined;
  secret(namespace: string, name: string): ApiObject | undefined;
  pod(namespace: string, name: string): ApiObject | undefined;
  node(name: string): ApiObject | undefined;
}
