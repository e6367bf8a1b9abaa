import type { Backend, Operation } from '../catalogue.ts';
import type { OperationFile } from '../shape/files.ts';
import { offerOf } from './offer.ts';

/** An operation as its file describes it. */
export function operationOf(file: OperationFile, backends: readonly Backend[]): Operation {
  const name = file.operation;
  const having = backends.filter(({ operations }) => operations[name]).map((backend) => backend.name);
  return { name, ...offerOf(file, having) };
}
