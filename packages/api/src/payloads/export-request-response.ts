import { exportRequestSpec } from '../kinds/api-service-export-request.ts';
import { apiVersion } from '../names/groups.ts';
import { enumeration, type Infer, object, required, string } from '../schema/schema.ts';
import { checked } from './parse-json.ts';

/** An APIServiceExportRequest in a payload: of its metadata only the name is carried. */
export const exportRequestResponse = object('A request the CLI has to create on the control plane.', {
  apiVersion: required(enumeration('Version of the request.', [apiVersion])),
  kind: required(enumeration('Kind of the request.', ['APIServiceExportRequest'])),
  metadata: object('Metadata of the request.', { name: string('Name of the request.') }),
  spec: required(exportRequestSpec),
});

/** A request that a backend hands to the CLI, which creates it on the control plane. */
export type APIServiceExportRequestResponse = Infer<typeof exportRequestResponse>;

/** Reads a request from a payload or manifest; throws `KLUTCH_EXPORT_REQUEST_INVALID` when it is something else. */
export function parseExportRequest(value: unknown): APIServiceExportRequestResponse {
  return checked(exportRequestResponse, value, 'KLUTCH_EXPORT_REQUEST_INVALID', 'The export request');
}
