import { composedObjects } from './composed-objects.ts';
import { dataLoss } from './data-loss.ts';
import { fieldSchemas } from './field-schemas.ts';
import type { Check } from './finding.ts';
import { formats } from './formats.ts';
import { knownBackends } from './known-backends.ts';
import { knownConditions } from './known-conditions.ts';
import { knownOperations } from './known-operations.ts';
import { kubernetesNames } from './kubernetes-names.ts';
import { mappings } from './mappings.ts';
import { obtainable } from './obtainable.ts';
import { planTraits } from './plan-traits.ts';
import { requiredFields } from './required-fields.ts';
import { targetPaths } from './target-paths.ts';
import { uniqueKinds } from './unique-kinds.ts';

/** All checks, in the order in which one would read them. */
export const checks: readonly Check[] = [
  uniqueKinds,
  kubernetesNames,
  knownBackends,
  knownOperations,
  planTraits,
  knownConditions,
  obtainable,
  dataLoss,
  fieldSchemas,
  requiredFields,
  composedObjects,
  targetPaths,
  mappings,
  formats,
];
