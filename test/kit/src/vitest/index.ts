export { describeReal } from './describe-real.ts';
export { createNamespace, sharedPlane } from './shared-plane.ts';
