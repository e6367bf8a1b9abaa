import { errorCatalogue, KlutchError, type KlutchErrorCode } from '@klutch/api';
import { kubeErrorCodes, KubeError } from '@klutch/kube';
import { describe, expect, it } from 'vitest';
import { exitCodes } from './exit.ts';
import { failureOf } from './failure.ts';

const coded = (code: string) => Object.assign(new Error('it is so'), { code });

describe('failureOf', () => {
  it.each(Object.entries(errorCatalogue))('ends with the code of its class after %s', (code, { exit }) => {
    expect(failureOf(new KlutchError(code as KlutchErrorCode, 'It is so.'))).toEqual({
      message: 'It is so.',
      exitCode: exitCodes[exit],
    });
  });

  it.each([
    ['a locked folder', coded('KLUTCH_STORE_LOCKED'), exitCodes.conflict],
    ['a folder that cannot be used', coded('KLUTCH_STORE_UNUSABLE'), exitCodes.usage],
    ['a busy port', coded('KLUTCH_APISERVER_PORT_IN_USE'), exitCodes.conflict],
    ['credentials that are not accepted', new KubeError('KUBE_UNAUTHORIZED', 'it is so'), exitCodes.authentication],
    ['a right that is missing', new KubeError('KUBE_FORBIDDEN', 'it is so'), exitCodes.authorisation],
    ['a cluster that does not answer', new KubeError('KUBE_UNREACHABLE', 'it is so'), exitCodes.remote],
    ['a kubeconfig that cannot be used', new KubeError('KUBE_CONFIG_INVALID', 'it is so'), exitCodes.usage],
    ['an unknown error', coded('ENOMEM'), 1],
    ['a name that objects have', coded('constructor'), 1],
    ['something that is no error', 'it is so', 1],
  ])('knows %s', (_, error, exitCode) => {
    expect(failureOf(error)).toEqual({ message: 'It is so.', exitCode });
  });

  it.each(Object.keys(kubeErrorCodes))('knows the class of %s', (code) => {
    expect(Object.values(exitCodes)).toContain(failureOf(coded(code)).exitCode);
  });

  it('has a code of its own for each class', () => {
    const codes = Object.values(exitCodes);
    expect(new Set([0, 1, ...codes]).size).toBe(codes.length + 2);
    expect(Math.max(...codes)).toBeLessThan(126);
  });
});
