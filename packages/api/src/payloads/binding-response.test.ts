import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { thrownBy } from '../errors/thrown-by.ts';
import {
  type BindingResponse,
  decodeBindingResponse,
  encodeBindingResponse,
  kubeconfigOf,
  parseBindingResponse,
} from './binding-response.ts';
import { parseExportRequest } from './export-request-response.ts';

const secret = 'eyJhbGciOiJSUzI1NiJ9.hunter2';
const kubeconfig = `apiVersion: v1\nkind: Config\nusers: [{name: default, user: {token: ${secret}}}]\n`;

const request = {
  kind: 'APIServiceExportRequest',
  apiVersion: 'klutch.anynines.com/v1alpha1',
  metadata: { name: 'widgets.example.org' },
  spec: {
    resources: [
      {
        group: 'example.org',
        resource: 'widgets',
        permissionClaims: [
          {
            resource: 'secrets',
            version: 'v1',
            selector: { names: ['*'], namespaces: ['*'], owner: 'Provider' },
            required: false,
            read: {},
            onConflict: { recreateWhenConsumerSideDeleted: true },
          },
        ],
      },
    ],
  },
} as const;

const response: BindingResponse = {
  kind: 'BindingResponse',
  apiVersion: 'klutch.anynines.com/v1alpha1',
  authentication: { oauth2CodeGrant: { sid: '7rwuPA', id: 'https://issuer.example/lab-user' } },
  kubeconfig: Buffer.from(kubeconfig).toString('base64'),
  requests: [request],
};

/** As Go backends encode it. */
const urlSafe = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
/** A text whose encoding has a digit in which the two alphabets differ. */
const awkward = { ...response, authentication: { oauth2CodeGrant: { sid: '7rwuPA', id: '~~~???>>>ÿÿÿ' } } };

describe('the answer to a login', () => {
  it('is read in either alphabet, padded or not', () => {
    const standard = Buffer.from(JSON.stringify(awkward)).toString('base64');
    const padded = standard.replaceAll('+', '-').replaceAll('/', '_');
    expect(padded).not.toBe(standard);

    for (const text of [standard, padded, urlSafe(awkward), standard.replaceAll('+', ' ')]) {
      expect(decodeBindingResponse(text)).toEqual(awkward);
    }
  });

  it('is read as a Go backend sends it, with an empty status in its requests', () => {
    const sent = { ...response, requests: [{ ...request, status: {} }] };

    const read = decodeBindingResponse(urlSafe(sent));

    expect(read.requests[0]?.spec.resources[0]?.permissionClaims?.[0]?.selector?.owner).toBe('Provider');
    expect(kubeconfigOf(read)).toBe(kubeconfig);
  });

  it('is read as a machine gets it, as JSON without a browser login', () => {
    const { authentication: _, ...machine } = response;

    expect(parseBindingResponse(JSON.stringify(machine))).toEqual(machine);
  });

  it('is always written in the standard alphabet with padding, and reads the same', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (id) => {
        const written = { ...response, authentication: { oauth2CodeGrant: { sid: '7rwuPA', id } } };
        const text = encodeBindingResponse(written);

        expect(text).toMatch(/^[A-Za-z0-9+/]+={0,2}$/);
        expect(text.length % 4).toBe(0);
        expect(decodeBindingResponse(text)).toEqual(written);
      }),
    );
  });

  it.each<[string, string]>([
    ['not base 64', 'not base 64!'],
    ['nothing', ''],
    ['only padding', '=='],
    ['not JSON', Buffer.from(`{"kubeconfig":"${secret}`).toString('base64')],
    ['of another kind', urlSafe({ ...response, kind: 'Secret' })],
    ['of another version', urlSafe({ ...response, apiVersion: 'v1alpha1' })],
    ['without kubeconfig', urlSafe({ ...response, kubeconfig: undefined })],
    ['with an empty kubeconfig', urlSafe({ ...response, kubeconfig: '' })],
    ['with a kubeconfig that is not base 64', urlSafe({ ...response, kubeconfig })],
    ['without requests', urlSafe({ ...response, requests: undefined })],
    ['with an empty list of requests', urlSafe({ ...response, requests: [] })],
    ['with a request of another kind', urlSafe({ ...response, requests: [{ ...request, kind: 'Secret' }] })],
    ['without session', urlSafe({ ...response, authentication: { oauth2CodeGrant: { id: 'x' } } })],
  ])('is refused when it is %s, without showing any of it', (_, text) => {
    const error = thrownBy(() => decodeBindingResponse(text));

    expect(error).toMatchObject({ code: 'KLUTCH_BINDING_RESPONSE_INVALID' });
    expect(error).not.toHaveProperty('cause');
    expect(String(error)).not.toContain('hunter2');
  });

  it('says which field is wrong', () => {
    const text = urlSafe({ ...response, requests: [{ ...request, spec: { resources: [{ group: 'example.org' }] } }] });

    expect(() => decodeBindingResponse(text)).toThrow('requests[0].spec.resources[0].resource: required');
  });
});

describe('an export request from outside', () => {
  it('is read with and without name', () => {
    const { metadata: _, ...unnamed } = request;

    expect(parseExportRequest(request)).toEqual(request);
    expect(parseExportRequest(unnamed)).toEqual(unnamed);
  });

  it.each<[string, unknown]>([
    ['is no object', 'kind: APIServiceExportRequest'],
    ['is of another kind', { ...request, kind: 'APIServiceExport' }],
    ['is of another version', { ...request, apiVersion: 'kube-bind.io/v1alpha1' }],
    ['asks for nothing', { ...request, spec: { resources: [] } }],
    ['names a resource that cannot be', { ...request, spec: { resources: [{ resource: 'Widgets' }] } }],
    [
      'has a claim without version',
      { ...request, spec: { resources: [{ resource: 'widgets', permissionClaims: [{ resource: 'secrets' }] }] } },
    ],
  ])('is refused when it %s', (_, value) => {
    expect(() => parseExportRequest(value)).toThrow(expect.objectContaining({ code: 'KLUTCH_EXPORT_REQUEST_INVALID' }));
  });
});
