import { describe, expect, it } from 'vitest';
import { readCatalogue } from './read-catalogue.ts';
import { problemsWith, smallCatalogue } from './small-catalogue.fixture.ts';

const read = (...layers: Readonly<Record<string, string>>[]) =>
  readCatalogue([
    smallCatalogue,
    ...layers.map((layer) => Object.entries(layer).map(([path, text]) => ({ path: `${path}.yaml`, text }))),
  ]);

const cacheWith = (...texts: string[]) => {
  const { catalogue, problems } = read(...texts.map((text) => ({ 'services/cache': text })));
  expect(problems).toEqual([]);
  return catalogue?.services.find(({ name }) => name === 'cache');
};

describe('a catalogue', () => {
  it('gives plans the first value of traits that they do not name, and all backends when they name none', () => {
    expect(cacheWith()?.plans).toEqual([
      {
        name: 'cache-small',
        traits: { size: 'small', ssl: 'no' },
        backends: ['vm', 'pod'],
        limits: {},
        retired: false,
      },
      { name: 'cache-big', traits: { size: 'big', ssl: 'no' }, backends: ['vm', 'pod'], limits: {}, retired: false },
      { name: 'cache-big-ssl', traits: { size: 'big', ssl: 'yes' }, backends: ['vm'], limits: {}, retired: false },
    ]);
  });

  it('has in services what backends say about all instances, with the name of the service', () => {
    expect(cacheWith()?.backends[0]).toEqual({
      name: 'vm',
      composed: {
        through: 'resource',
        base: { apiVersion: 'vm.example.org/v1', kind: 'Instance', spec: { brokerRef: 'cache-broker' } },
        patches: [{ from: 'spec.plan', to: 'spec.forProvider.plan', transforms: [] }],
        status: [{ from: 'status.atProvider.state', to: 'state' }],
      },
      parametersAt: 'spec.forProvider.parameters',
      operations: ['backup'],
      credentials: [],
    });
  });

  it('has a provider config for each service that uses the backend', () => {
    const queue = `service: queue\nkind: Queue\ndisplayName: Queue\ndescription: Order.\nbackends: { vm: {} }`;
    const { catalogue } = read({ 'services/queue': queue });

    const configs = catalogue?.backends.find(({ name }) => name === 'vm')?.providerConfigs;
    expect(configs?.map(({ metadata }) => metadata)).toEqual([{ name: 'cache-broker' }, { name: 'queue-broker' }]);
  });

  it('does not depend on the order of files', () => {
    const reversed = readCatalogue([[...smallCatalogue].reverse()]);

    expect(reversed).toEqual(read());
  });
});

describe('a later layer', () => {
  it('adds a plan with one entry', () => {
    const plans = cacheWith('plans:\n  cache-small-ssl: { traits: { ssl: "yes" }, backends: [vm] }')?.plans;

    expect(plans?.map(({ name }) => name)).toEqual(['cache-small', 'cache-big', 'cache-big-ssl', 'cache-small-ssl']);
  });

  it('changes a part of a plan and keeps the rest', () => {
    expect(cacheWith('plans: { cache-big-ssl: { cost: 1 EUR } }')?.plans[2]).toMatchObject({
      cost: '1 EUR',
      traits: { size: 'big', ssl: 'yes' },
      backends: ['vm'],
    });
  });

  it('removes with null what an earlier one says, and a third brings it back', () => {
    const names = (service: ReturnType<typeof cacheWith>) => service?.plans.map(({ name }) => name);

    expect(names(cacheWith('plans: { cache-big: null }'))).toEqual(['cache-small', 'cache-big-ssl']);
    expect(names(cacheWith('plans: { cache-big: null }', 'plans: { cache-big: {} }'))).toEqual([
      'cache-small',
      'cache-big-ssl',
      'cache-big',
    ]);
  });

  it('changes what a backend says for all services, and a service what its backend says', () => {
    const { catalogue } = read({
      'backends/vm': 'instance: { base: { spec: { zone: north } } }',
      'services/cache': 'backends: { vm: { base: { spec: { zone: south, brokerRef: null } } } }',
    });

    expect(catalogue?.services[0]?.backends[0]?.composed.base['spec']).toEqual({ zone: 'south' });
  });

  it('says what a further value of a trait means, without saying the others again', () => {
    const service = cacheWith(
      [
        'traits: { size: { values: [small, big, huge] } }',
        'plans: { cache-huge: { traits: { size: huge } } }',
        'backends: { pod: { patches: { spec.storage: { values: { huge: 9Gi } } } } }',
      ].join('\n'),
    );

    expect(service?.backends[1]?.composed.patches).toEqual([
      {
        from: 'spec.plan',
        to: 'spec.storage',
        transforms: [{ is: 'trait', trait: 'size', values: { small: '1Gi', big: '2Gi', huge: '9Gi' } }],
      },
    ]);
  });
});

describe('what is wrong with a file', () => {
  const cache = (text: string) => ({ 'services/cache': text });
  const at = (place: string, message: string) => [`my/services/cache.yaml:${place} ${message}`];
  it.each([
    ['that is no YAML', cache('plans:\n  "a'), at('2:5', 'This is not valid YAML: Missing closing "quote.')],
    ['that is empty', cache('# nothing'), at('1:1', 'The file is empty.')],
    ['that is a list', cache('- a'), at('1:1', 'The file must hold keys and values, such as "kind: …".')],
    [
      'with an alias',
      cache('plans: &a {}\nversions: *a'),
      at('2:11', 'Only texts, numbers, true and false can be used here; write values out where an alias stands.'),
    ],
    [
      'with a plan that is there twice',
      cache('plans:\n  a: {}\n  b: {}\n  a: {}'),
      at('4:3', '"a" is here twice, first in line 2; a name may be used once.'),
    ],
    [
      'with a version that is there twice',
      cache('versions: { a: {}, a: {} }'),
      at('1:20', '"a" is here twice, first in line 1; a name may be used once.'),
    ],
    [
      'that removes what is not there',
      cache('plans:\n  gone:'),
      at('2:3', '"gone" is empty, which removes it, but there is none so far; give it a value ({} for none).'),
    ],
    [
      'with an empty key in a list',
      cache('requires:\n  a: { then: [{ trait: , in: [x] }], message: No. }'),
      at('2:17', '"trait" is empty, which removes it, but there is none so far; give it a value ({} for none).'),
    ],
    [
      'with an unknown key',
      cache('plans:\n  a: { price: 1 EUR }'),
      at('2:8', '"price" is not known here; allowed are traits, backends, description, cost, limits, retired.'),
    ],
    [
      'with a misspelt key',
      cache('plans:\n  a: { retird: true }'),
      at(
        '2:8',
        '"retird" is not known here; allowed are traits, backends, description, cost, limits, retired; did you mean "retired"?',
      ),
    ],
    [
      'with a misspelt key that is required',
      cache('parameters:\n  a: { shema: { type: string } }'),
      at('2:8', '"shema" is not known here, and "schema" is missing; is it meant?'),
    ],
    [
      'with a misspelt word',
      cache('traits:\n  size: { change: grows }'),
      at('2:19', '"grows" is not known here; allowed are any, grow, never; did you mean "grow"?'),
    ],
    [
      'with true where a text is meant',
      cache('plans:\n  a: { traits: { ssl: true } }'),
      at('2:23', 'A text is expected here, not true (in quotes it would be a text).'),
    ],
    [
      'with a text where true or false is meant',
      cache('plans:\n  a: { retired: yes }'),
      at('2:17', 'true or false is expected here, not the text "yes".'),
    ],
    [
      'with a number where a text is meant',
      cache('versions: { "1": { backends: [1] } }'),
      at('1:31', 'A text is expected here, not 1 (in quotes it would be a text).'),
    ],
    [
      'with a list where names are meant',
      cache('plans:\n  - name: a'),
      at('2:3', 'A map of keys and values is expected here, not a list.'),
    ],
    [
      'with a condition of no known form',
      cache('requires:\n  a: { then: [{ trait: size }], message: No. }'),
      at(
        '2:15',
        'None of the forms that are allowed here fits; they have "backend", or "version", or "plan", or "trait" with "in", or "set", or "field" with "in".',
      ),
    ],
    ['with an empty list', cache('traits:\n  size: { values: [] }'), at('2:19', 'The list must not be empty.')],
    [
      'with an address that is none',
      cache('documentation: example.org'),
      at('1:16', '"example.org" is not allowed; it must be a URL that begins with https:// or http://.'),
    ],
    [
      'with another name than its file',
      cache('service: cash'),
      at('1:10', 'The file is called cache.yaml, so "service" must be "cache".'),
    ],
    [
      'that does not say all',
      { 'services/queue': 'service: queue\nkind: Queue\ndescription: Order.' },
      [
        'my/services/queue.yaml:1:1 "displayName" is missing; it is required.',
        'my/services/queue.yaml:1:1 "backends" is missing; it is required.',
      ],
    ],
    [
      'in another folder',
      { 'plans/small': 'a: 1' },
      [
        'my/plans/small.yaml:1:1 A file of a catalogue is called services/<name>.yaml, backends/<name>.yaml or operations/<name>.yaml.',
      ],
    ],
  ])('is said of one %s', (_, layer, problems) => {
    expect(problemsWith(layer)).toEqual(problems);
  });

  it('is said of all files at once, in order', () => {
    expect(
      problemsWith({ 'services/cache': 'a: 1\nplans:\n  x: { y: 1 }', 'backends/vm': 'through: nothing' }).map(
        (problem) => problem.split(' ')[0],
      ),
    ).toEqual(['my/backends/vm.yaml:1:10', 'my/services/cache.yaml:1:1', 'my/services/cache.yaml:3:8']);
  });
});
