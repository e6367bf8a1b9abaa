export { onAbort } from './on-abort.ts';
export { scope, type Scope } from './scope.ts';
export { unlessAborted } from './unless-aborted.ts';
export { whenAborted } from './when-aborted.ts';
