export { apiGroups } from './api-groups.ts';
export { discoveryAnswer } from './discovery-answer.ts';
