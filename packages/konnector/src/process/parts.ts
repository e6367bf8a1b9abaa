import { runClaims } from '../claims/run-claims.ts';
import { runInstances } from '../instances/run-instances.ts';
import { runNamespaces } from '../namespaces/run-namespaces.ts';
import { runSchema } from '../schema/run-schema.ts';
import { runUnbind } from '../unbind/run-unbind.ts';
import type { ProcessParts } from './near.ts';

/** The parts of a konnector. */
export const parts: ProcessParts = { runSchema, runNamespaces, runInstances, runClaims, runUnbind };
