import {
  annotations,
  type CustomResourceDefinition,
  type ExportedApi,
  exportedApi,
  isKlutchError,
  sourceSpecHash,
} from '@klutch/api';

/** What of a CRD is published, with its digest and what people should know about it; or why it cannot be. */
export type SourceApi =
  | {
      readonly api: ExportedApi;
      readonly hash: string;
      readonly description?: string;
      readonly problem?: undefined;
    }
  | { readonly problem: string };

/** Annotations of an export of an API. */
export function exportMarks({
  hash,
  description,
}: Extract<SourceApi, { readonly hash: string }>): Readonly<Record<string, string>> {
  return {
    [annotations.sourceSpecHash]: hash,
    ...(description === undefined ? {} : { [annotations.serviceDescription]: description }),
  };
}

export function sourceApi(crd: CustomResourceDefinition): SourceApi {
  try {
    const api = exportedApi(crd);
    return {
      api,
      hash: sourceSpecHash(api),
      description: crd.metadata.annotations?.[annotations.serviceDescription],
    };
  } catch (error) {
    if (isKlutchError(error)) return { problem: error.message };
    throw error;
  }
}
