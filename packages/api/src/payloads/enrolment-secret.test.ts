import { describe, expect, it } from 'vitest';
import { type Enrolment, enrolmentSecret, readEnrolment } from './enrolment-secret.ts';

const enrolment: Enrolment = {
  id: '0123456789',
  backendUrl: 'https://klutch.example/export',
  token: 'sealed',
  expiresAt: new Date('2026-03-01T12:00:00Z'),
  kubeconfigSecret: 'kubeconfig-0123456789',
};

function without(key: string) {
  const { data = {}, ...secret } = enrolmentSecret(enrolment);
  const { [key]: _, ...rest } = data;
  return { ...secret, data: rest };
}

describe('the Secret of an enrolment', () => {
  it.each([[enrolment], [{ ...enrolment, ca: '-----BEGIN CERTIFICATE-----' }]])(
    'is read as it was written: %#',
    (one) => {
      expect(readEnrolment(enrolmentSecret(one))).toEqual({ enrolment: one });
    },
  );

  it.each(['backend-url', 'token', 'expires-at', 'kubeconfig-secret'])('says that it lacks %s', (key) => {
    expect(readEnrolment(without(key))).toMatchObject({
      problem: expect.stringContaining(`Secret klutch-bind/klutch-enrolment-0123456789 lacks ${key}. Make the bundle`),
    });
  });

  it('says that its time is none, and for whose credential it is', () => {
    const secret = enrolmentSecret(enrolment);
    const data = { ...secret.data, 'expires-at': Buffer.from('soon').toString('base64') };

    expect(readEnrolment({ ...secret, data })).toEqual({
      kubeconfigSecret: 'kubeconfig-0123456789',
      problem: expect.stringContaining('expires-at is not a time'),
    });
  });
});
