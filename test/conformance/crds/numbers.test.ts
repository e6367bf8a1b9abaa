import { expect } from 'vitest';
import { install, specOf } from '../definition.ts';
import { inNamespace } from '../paths.ts';
import { conformance } from '../suite.ts';

const namespace = 'conf-numbers';
const group = 'numbers.conf.example';
const items = inNamespace(`${group}/v1/numbereds`, namespace);
const sent = (name: string, big: string) =>
  `{"apiVersion":"${group}/v1","kind":"Numbered","metadata":{"name":"${name}"},"spec":{"big":${big}}}`;
const bigIn = (text: string) => /"spec":\{"big":([^,}]*)/.exec(text)?.[1];

conformance('large numbers', ({ check, prepare }) => {
  prepare(async (server) => {
    await server.createNamespace(namespace);
    await install(server.admin, {
      group,
      kind: 'Numbered',
      schema: specOf({ big: { type: 'number' }, count: { type: 'integer', format: 'int64' } }),
    });
  });

  for (const [name, number, kept = number] of [
    ['exact', '9007199254740992'],
    ['negative', '-9007199254740992'],
    ['fraction', '0.1'],
    ['beyond', '92233720368547758070', '92233720368547760000'],
    ['exponent', '1e+22'],
  ] as const) {
    check(`of the kind ${name} come back as they were sent`, async ({ admin }) => {
      const { status, text } = await admin.post(items(), sent(name, number));

      expect([status, bigIn(text), bigIn((await admin.get(items(name))).text)]).toEqual([201, kept, kept]);
    });
  }

  for (const [name, number] of [
    ['odd', '9007199254740993'],
    ['most', '9223372036854775807'],
    ['least', '-9223372036854775808'],
  ] as const) {
    check(`between 53 and 63 bits come back as they were sent, such as the ${name}`, async ({ admin }) => {
      const { status, text } = await admin.post(items(), sent(name, number));

      expect([status, bigIn(text)]).toEqual([201, number]);
    });
  }

  check('of more than 53 bits come back from patches as they were sent', async ({ admin }) => {
    await admin.create(items(), sent('patched', '1'));
    const { status, text } = await admin.patch('merge', items('patched'), '{"spec":{"big":9007199254740993}}');

    expect([status, bigIn(text)]).toEqual([200, '9007199254740993']);
  });

  check('of more than 53 bits come back from an apply as they were sent', async ({ admin }) => {
    const text = `apiVersion: ${group}/v1\nkind: Numbered\nmetadata:\n  name: applied\nspec:\n  big: 9007199254740993\n`;
    const answer = await admin.apply(items('applied'), 'one', text);

    expect([answer.status, bigIn(answer.text)]).toEqual([201, '9007199254740993']);
  });

  check('of more than 53 bits come back from protobuf as they were sent', async ({ admin }) => {
    const part = (number: number, content: Buffer | string) =>
      Buffer.concat([Buffer.from([number * 8 + 2, content.length]), Buffer.from(content)]);
    // 9007199254740993 as activeDeadlineSeconds.
    const deadline = Buffer.from([3 * 8, 0x81, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x10]);
    const pod = Buffer.concat([part(2, Buffer.concat([part(1, 'c'), part(2, 'i')])), part(3, 'Never')]);
    const job = [part(1, part(1, 'job')), part(2, Buffer.concat([deadline, part(6, part(2, pod))]))];
    const head = part(1, Buffer.concat([part(1, 'batch/v1'), part(2, 'Job')]));
    const body = Buffer.concat([Buffer.from('k8s\0'), head, part(2, Buffer.concat(job))]);

    const { status, text } = await admin.post(inNamespace('batch/v1/jobs', namespace)(), body, {
      contentType: 'application/vnd.kubernetes.protobuf',
    });

    expect([status, /"activeDeadlineSeconds":(\d+)/.exec(text)?.[1]]).toEqual([201, '9007199254740993']);
  });
});
