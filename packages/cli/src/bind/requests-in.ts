import { type APIServiceExportRequestResponse, apiVersion, KlutchError, parseExportRequest } from '@klutch/api';

/**
 * The export requests in a text: YAML documents, JSON, or a List. Throws `KLUTCH_EXPORT_REQUEST_INVALID`, naming the source.
 */
export async function requestsIn(text: string, source: string): Promise<readonly APIServiceExportRequestResponse[]> {
  const { parseAllDocuments } = await import('yaml');
  const documents = parseAllDocuments(text);
  if (!Array.isArray(documents) || documents.some(({ errors }) => errors.length > 0)) {
    throw invalid(`${source} is neither YAML nor JSON.`);
  }
  const values = documents.map((document): unknown => document.toJS()).filter((value) => value !== null);
  const requests = values.flatMap(itemsOf).map((value) => {
    refuseOtherKinds(value, source);
    try {
      return parseExportRequest(value);
    } catch (error) {
      throw invalid(`${source}: ${error instanceof Error ? error.message : ''}`);
    }
  });
  if (requests.length === 0) throw invalid(`${source} holds no APIServiceExportRequest.`);
  return requests;
}

function refuseOtherKinds(value: unknown, source: string): void {
  const { apiVersion: version, kind } = (value ?? {}) as { readonly apiVersion?: unknown; readonly kind?: unknown };
  if (version === apiVersion && kind === 'APIServiceExportRequest') return;
  const found = typeof version === 'string' && typeof kind === 'string' ? ` but ${version} ${kind}` : '';
  throw invalid(
    `${source} is not a manifest of an APIServiceExportRequest of ${apiVersion}${found}. Name one that is.`,
  );
}

function itemsOf(value: unknown): readonly unknown[] {
  const { kind, items } = (value ?? {}) as { readonly kind?: unknown; readonly items?: unknown };
  return kind === 'List' && Array.isArray(items) ? items : [value];
}

function invalid(problem: string): KlutchError {
  return new KlutchError('KLUTCH_EXPORT_REQUEST_INVALID', problem);
}
