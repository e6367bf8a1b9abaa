import { describe, expect, it } from 'vitest';
import { acceptedForm } from './accepted-form.ts';

const aggregated = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';

describe('acceptedForm', () => {
  it.each([
    [undefined, 'json'],
    ['', 'json'],
    ['*/*', 'json'],
    ['application/*', 'json'],
    ['application/json', 'json'],
    ['application/yaml', 'yaml'],
    ['application/vnd.kubernetes.protobuf, application/json', 'json'],
    [aggregated, 'aggregated'],
    ['application/json;as=APIGroupDiscoveryList;v=v2;g=apidiscovery.k8s.io', 'aggregated'],
    [`${aggregated};profile=nopeer`, 'aggregated'],
    ['application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList,application/json', 'json'],
    ['application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList', undefined],
    ['application/vnd.kubernetes.protobuf', undefined],
    ['text/html', undefined],
  ])('of %j is %s', (accept, form) => {
    expect(acceptedForm(accept)).toBe(form);
  });

  it('is aggregated for kubectl 1.32', () => {
    const accept = `${aggregated},application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList,application/json`;

    expect(acceptedForm(accept)).toBe('aggregated');
  });
});
