import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import {
  AnyninesAPIServiceExportTemplates,
  type AnyninesAPIServiceExportTemplate,
  type APIServiceExportTemplate,
  APIServiceExportTemplates,
  KlutchError,
  type OfferedApi,
  offeredApi,
} from '@klutch/api';
import { isKubeError, type KubeClient, type ResourceType } from '@klutch/kube';

type AnyTemplate = APIServiceExportTemplate | AnyninesAPIServiceExportTemplate;

/** What all templates of a control plane offer. */
export async function offersOf(client: KubeClient, signal: AbortSignal): Promise<readonly OfferedApi[]> {
  const offers: OfferedApi[] = [];
  const types: readonly ResourceType<AnyTemplate>[] = [APIServiceExportTemplates, AnyninesAPIServiceExportTemplates];
  for (const type of types) {
    try {
      for await (const page of client.resource(type).pages({ signal })) {
        offers.push(...page.items.flatMap((template) => offeredApi(template) ?? []));
      }
    } catch (error) {
      // A control plane need not know both groups.
      if (!isKubeError(error, 'KUBE_NOT_FOUND')) throw error;
    }
  }
  return offers;
}

/** What the templates in files offer. Other objects in them are passed over. */
export async function offersIn(files: readonly string[]): Promise<readonly OfferedApi[]> {
  const { parseAllDocuments } = await import('yaml');
  const offers: OfferedApi[] = [];
  for (const file of files) {
    const documents = parseAllDocuments(await textOf(file));
    if (documents.some(({ errors }) => errors.length > 0)) throw usage(file, 'is not YAML');
    const templates = documents.map((document) => document.toJS() as AnyTemplate | null);
    const found = templates.flatMap((template) =>
      template?.kind === 'APIServiceExportTemplate' ? (offeredApi(template) ?? []) : [],
    );
    if (found.length === 0) throw usage(file, 'holds no APIServiceExportTemplate');
    offers.push(...found);
  }
  return offers;
}

async function textOf(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    const { code = 'unknown' } = cause as NodeJS.ErrnoException;
    throw usage(file, code === 'ENOENT' ? 'does not exist' : `cannot be read (${code})`);
  }
}

function usage(file: string, problem: string): KlutchError {
  return new KlutchError('KLUTCH_USAGE', `The file ${resolve(file)} of --template ${problem}.`);
}
