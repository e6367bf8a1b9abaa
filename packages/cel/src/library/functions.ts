import { AUTHORIZER } from './authorizer.ts';
import { CONVERSIONS } from './conversions.ts';
import { combine, type Functions } from './declaration.ts';
import { LISTS } from './lists.ts';
import { NAMED_FORMATS } from './named-formats.ts';
import { NETWORKS } from './networks.ts';
import { OPERATORS } from './operators.ts';
import { OPTIONALS } from './optionals.ts';
import { QUANTITIES } from './quantity.ts';
import { SEMVERS } from './semver.ts';
import { STRINGS } from './strings.ts';
import { TIMES } from './times.ts';

/** All functions that rules in schemas may use in Kubernetes 1.35. */
export const FUNCTIONS: Functions = combine(
  OPERATORS,
  CONVERSIONS,
  STRINGS,
  TIMES,
  LISTS,
  OPTIONALS,
  NETWORKS,
  QUANTITIES,
  SEMVERS,
  NAMED_FORMATS,
  AUTHORIZER,
);
