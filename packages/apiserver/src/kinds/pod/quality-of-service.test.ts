import { describe, expect, it } from 'vitest';
import { qualityOfService } from './quality-of-service.ts';

const fixed = { limits: { cpu: '1', memory: '1Gi' }, requests: { cpu: '1', memory: '1Gi' } };

describe('qualityOfService', () => {
  it.each([
    ['BestEffort', [{}]],
    ['BestEffort', [{ limits: { 'example.org/gpu': '1' } }]],
    ['BestEffort', [{ requests: { cpu: '0' } }]],
    ['Burstable', [{ requests: { cpu: '1' } }]],
    ['Burstable', [{ limits: { cpu: '1', memory: '1Gi' }, requests: { cpu: '500m', memory: '1Gi' } }]],
    ['Burstable', [fixed, {}]],
    ['Guaranteed', [fixed]],
    ['Guaranteed', [fixed, fixed]],
    ['Guaranteed', [{ limits: fixed.limits }]],
  ])('is %s for containers that ask for %j', (quality, resources) => {
    expect(qualityOfService({ containers: resources.map((one) => ({ resources: one })) })).toBe(quality);
  });

  it('looks at init containers too', () => {
    expect(qualityOfService({ containers: [{ resources: fixed }], initContainers: [{}] })).toBe('Burstable');
  });
});
