export { eventually, type EventuallyOptions } from './eventually.ts';
export { createFaults, type Fault, type FaultHandle, type FaultRule, type Faults } from './faults.ts';
export { type ModelApi, type ModelOptions, type ModelSnapshot, ModelThings, startModelApi } from './model-api.ts';
export { createManualClock, type ManualClock } from './manual-clock.ts';
