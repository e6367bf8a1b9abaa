export { checkedRequest, isWaiting, problemInAnswer } from './check.ts';
export { type ContractClient, createContractClient } from './client.ts';
export {
  type AnswerOf,
  type Caller,
  type Endpoint,
  type RequestOf,
  type WaitingOf,
} from './endpoint.ts';
export {
  beginDeviceLogin,
  bindMachine,
  bundleForMachine,
  type BindRequest,
  describeProvider,
  type DeviceLogin,
  type EnrolmentGrant,
  evictForMachine,
  exchangeEnrolment,
  finishDeviceLogin,
  finishDeviceLoginForBundle,
  finishDeviceLoginForEviction,
  finishRotation,
  type FreshCredential,
  listOffers,
  redeemCode,
  redeemForBundle,
  redeemForEviction,
  releaseCluster,
  rotateCredential,
  withdrawApis,
} from './endpoints.ts';
export { limitedText } from './limited-text.ts';
export { isLoopback } from './loopback.ts';
export { maxApis, maxEnrolmentSeconds } from './fields.ts';
export { proxyFor, throughProxy } from './proxy-for.ts';
export type { Send, WireAnswer, WireRequest } from './wire.ts';
