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
  type BindRequest,
  describeProvider,
  type DeviceLogin,
  finishDeviceLogin,
  finishRotation,
  listOffers,
  redeemCode,
  rotateCredential,
  withdrawApis,
} from './endpoints.ts';
export { maxApis } from './fields.ts';
export type { Send, WireAnswer, WireRequest } from './wire.ts';
