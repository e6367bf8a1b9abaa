export { describeReal, describeWithBrowser, type Needs } from './describe-real.ts';
export { createNamespace, sharedCrossplane, sharedPlane } from './shared-plane.ts';
