import { group } from '@klutch/api';
import type { Rule } from '../objects/rbac.ts';

const all = ['create', 'delete', 'patch', 'update', 'get', 'list', 'watch'];
const read = ['get', 'list', 'watch'];
const report = ['get', 'patch', 'update'];

/** What every app cluster may do in its own cluster namespace: the rules of ClusterRole `klutch-binder`. */
export const binderRules: readonly Rule[] = [
  { apiGroups: [group], resources: ['apiserviceexportrequests'], verbs: all },
  { apiGroups: [''], resources: ['namespaces'], verbs: ['get'] },
  { apiGroups: [''], resources: ['secrets'], verbs: read },
  { apiGroups: [group], resources: ['clusterbindings'], verbs: read },
  { apiGroups: [group], resources: ['clusterbindings/status'], verbs: report },
  { apiGroups: [group], resources: ['apiserviceexports'], verbs: read },
  { apiGroups: [group], resources: ['apiserviceexports/status'], verbs: report },
  { apiGroups: [group], resources: ['apiservicenamespaces'], verbs: all },
];
