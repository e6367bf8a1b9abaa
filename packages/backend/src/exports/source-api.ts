import {
  type CustomResourceDefinition,
  type ExportedApi,
  exportedApi,
  isKlutchError,
  sourceSpecHash,
} from '@klutch/api';

/** What of a CRD is published, with its digest; or why it cannot be. */
export type SourceApi =
  | { readonly api: ExportedApi; readonly hash: string; readonly problem?: undefined }
  | { readonly problem: string };

export function sourceApi(crd: CustomResourceDefinition): SourceApi {
  try {
    const api = exportedApi(crd);
    return { api, hash: sourceSpecHash(api) };
  } catch (error) {
    if (isKlutchError(error)) return { problem: error.message };
    throw error;
  }
}
