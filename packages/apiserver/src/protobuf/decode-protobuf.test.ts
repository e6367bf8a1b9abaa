import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeProtobuf } from './decode-protobuf.ts';

/** A field with a length; numbers stay below 128. */
const field = (number: number, content: Buffer | string): Buffer => {
  const bytes = Buffer.from(content);
  return Buffer.concat([Buffer.from([number * 8 + 2, bytes.length]), bytes]);
};
const number = (tag: number, value: number): Buffer => Buffer.from([tag * 8, value]);
const join = (...parts: Buffer[]) => Buffer.concat(parts);

const envelope = (apiVersion: string, kind: string, raw: Buffer) =>
  join(
    Buffer.from('k8s\0'),
    field(1, join(field(1, apiVersion), field(2, kind))),
    field(2, raw),
    field(3, ''),
    field(4, ''),
  );

describe('decodeProtobuf', () => {
  it('reads metadata, maps of text and of bytes, and flags', () => {
    const metadata = join(
      field(1, 'db'),
      field(2, ''),
      field(8, ''),
      field(11, join(field(1, 'app'), field(2, 'x'))),
      number(7, 0),
    );
    const secret = join(
      field(1, metadata),
      field(2, join(field(1, 'password'), field(2, 'hunter2'))),
      field(2, join(field(1, 'user'), field(2, 'me'))),
      field(3, 'Opaque'),
      number(5, 1),
    );
    expect(decodeProtobuf(envelope('v1', 'Secret', secret))).toEqual({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'db', labels: { app: 'x' } },
      data: { password: 'aHVudGVyMg==', user: 'bWU=' },
      type: 'Opaque',
      immutable: true,
    });
  });

  it('reads maps of quantities', () => {
    const entry = (name: string, amount: string) => field(1, join(field(1, name), field(2, field(1, amount))));
    const quota = join(
      field(1, field(1, 'q')),
      field(2, join(entry('count/secrets', '2'), entry('pods', '1'), field(2, 'BestEffort'))),
    );

    expect(decodeProtobuf(envelope('v1', 'ResourceQuota', quota))).toMatchObject({
      spec: { hard: { 'count/secrets': '2', pods: '1' }, scopes: ['BestEffort'] },
    });
  });

  it('reads all of a kind: inlined structs, choices of number and text, flags that are set to false', () => {
    const probe = join(field(1, field(2, field(2, join(number(1, 0), number(2, 80))))), number(2, 5), number(3, 0));
    const container = join(field(1, 'c'), field(2, 'i'), field(7, join(field(1, 'ENV'), field(2, 'x'))));
    const pod = join(field(2, join(container, field(10, probe))), number(11, 0));
    const template = join(field(1, field(1, '')), field(2, pod));
    const job = field(2, join(number(2, 1), number(5, 0), field(6, template)));

    expect(decodeProtobuf(envelope('batch/v1', 'Job', job))).toEqual({
      apiVersion: 'batch/v1',
      kind: 'Job',
      spec: {
        completions: 1,
        manualSelector: false,
        template: {
          metadata: {},
          spec: {
            containers: [
              {
                name: 'c',
                image: 'i',
                env: [{ name: 'ENV', value: 'x' }],
                livenessProbe: { httpGet: { port: 80 }, initialDelaySeconds: 5 },
              },
            ],
          },
        },
      },
    });
  });

  it('keeps the order of lists, and empty texts in them', () => {
    const rule = join(field(1, 'get'), field(1, 'list'), field(2, ''), field(3, 'secrets'));
    expect(
      decodeProtobuf(envelope('rbac.authorization.k8s.io/v1', 'Role', join(field(1, field(1, 'r')), field(2, rule)))),
    ).toMatchObject({
      rules: [{ verbs: ['get', 'list'], apiGroups: [''], resources: ['secrets'] }],
    });
  });

  it('reads times in seconds and in microseconds', () => {
    const renewed = join(number(1, 60), Buffer.from([2 * 8, 0xc0, 0x84, 0x3d]));
    expect(decodeProtobuf(envelope('coordination.k8s.io/v1', 'Lease', field(2, field(4, renewed))))).toMatchObject({
      spec: { renewTime: '1970-01-01T00:01:00.001000Z' },
    });
  });

  it('refuses integers that it would not keep exactly', () => {
    const most = Buffer.from([1 * 8, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f]);
    const revision = join(field(2, field(1, '{"big":[9007199254740993]}')), number(3, 1));

    expect(() => decodeProtobuf(envelope('apps/v1', 'DeleteOptions', most))).toThrow(
      expect.objectContaining({
        code: 400,
        message: expect.stringMatching(/^gracePeriodSeconds: 9223372036854775807 would not be kept exactly/) as string,
      }),
    );
    expect(() => decodeProtobuf(envelope('apps/v1', 'ControllerRevision', revision))).toThrow(
      expect.objectContaining({
        code: 400,
        message: expect.stringMatching(/^big\[0\]: 9007199254740993 would not be kept exactly/) as string,
      }),
    );
  });

  it('reads delete options of any group', () => {
    const options = decodeProtobuf(envelope('apps/v1', 'DeleteOptions', join(field(4, 'Orphan'), number(1, 5))));
    expect(options).toMatchObject({ propagationPolicy: 'Orphan', gracePeriodSeconds: 5 });
  });

  it('says 415 for kinds it does not know, so that clients use JSON', () => {
    expect(() => decodeProtobuf(envelope('example.org/v1', 'Widget', Buffer.alloc(0)))).toThrow(
      expect.objectContaining({ code: 415 }),
    );
  });

  it('never fails in another way, whatever the bytes', () => {
    const good = envelope('v1', 'ConfigMap', field(1, field(1, 'x')));
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), fc.nat({ max: good.length }), (bytes, cut) => {
        for (const body of [
          Buffer.from(bytes),
          join(Buffer.from('k8s\0'), Buffer.from(bytes)),
          good.subarray(0, cut),
        ]) {
          try {
            decodeProtobuf(body);
          } catch (error) {
            expect(error).toMatchObject({ code: expect.toSatisfy((code) => code === 400 || code === 415) });
          }
        }
      }),
    );
  });
});
