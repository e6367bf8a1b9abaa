export { describeReal, describeWithBrowser, type Needs } from './describe-real.ts';
export { createNamespace, sharedPlane } from './shared-plane.ts';
