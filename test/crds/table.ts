import type { CustomResourceDefinition } from '@klutch/api';
import type { Row } from './row.ts';

/** The contract of one kind. */
export interface Table {
  readonly crd: CustomResourceDefinition;
  /** The smallest object the server accepts, without namespace. */
  readonly plain: { readonly metadata: { readonly name: string }; readonly [field: string]: unknown };
  readonly rows: readonly Row[];
}
