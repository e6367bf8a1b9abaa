export { type ApiGroup, apiGroups, type ApiVersion } from './api-groups.ts';
export { type LocalApiService, localApiServices } from './api-services.ts';
export { discoveryAnswer, PAGE_NOT_FOUND } from './discovery-answer.ts';
export { compareKubeVersions } from './kube-version.ts';
export { serverVersion } from './server-version.ts';
