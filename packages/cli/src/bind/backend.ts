import { type ContractClient, createContractClient } from '@klutch/api/contract';
import { pause, systemClock } from '@klutch/kube';
import { callHttp, type HttpSettings } from './http-call.ts';

/** The backend of the provider whose description is at `url`: the one client of all commands. */
export function openBackend(url: string, settings: HttpSettings): ContractClient {
  return createContractClient({
    url,
    send: ({ url: address, ...request }) => callHttp(address, request, settings),
    pause: (milliseconds, signal) => pause(systemClock, milliseconds, signal),
  });
}
