import type { Plan, Service, Trait } from '../../model/catalogue.ts';
import { codes, section, table } from './markdown.ts';

/** What only services have: versions, plans, and how plans may be changed. */
export function serviceSections(service: Service, backends: readonly string[]): readonly (string | undefined)[] {
  const several = backends.length > 1 ? backends : [];
  const has = (names: readonly string[]) => several.map((backend) => (names.includes(backend) ? 'yes' : 'no'));
  return [
    section(
      'Versions',
      service.versions.length === 0
        ? ''
        : table(
            ['`spec.service`', ...several, 'Remarks'],
            service.versions.map(({ name, backends, retired }) => [codes([name]), ...has(backends), ending(retired)]),
          ),
    ),
    section(
      'Plans',
      service.plans.length === 0
        ? ''
        : table(
            ['`spec.plan`', ...several, ...service.traits.map(({ name }) => name), 'You get', 'Cost', 'Remarks'],
            service.plans.map((plan) => [
              codes([plan.name]),
              ...has(plan.backends),
              ...service.traits.map(({ name }) => plan.traits[name] ?? ''),
              limits(plan),
              plan.cost ?? '',
              [plan.description ?? '', ending(plan.retired)].filter((text) => text !== '').join(' '),
            ]),
          ),
    ),
    section('Changes of plan', service.plans.length === 0 ? '' : changes(service)),
  ];
}

function ending(retired: boolean): string {
  return retired ? 'Retired: instances keep it, new ones cannot have it.' : '';
}

function limits({ limits }: Plan): string {
  return Object.entries(limits)
    .map(([of, amount]) => `${of} ${amount}`)
    .join(', ');
}

function changes({ planChange, traits }: Service): string {
  if (planChange === 'never') return 'The plan of an instance cannot be changed.';
  if (traits.length === 0) return 'An instance can be changed to any plan.';
  return traits.map((trait) => `- **${trait.name}** ${changeWords(trait)}`).join('\n');
}

function changeWords({ change, values }: Trait): string {
  switch (change) {
    case 'any':
      return 'can be changed.';
    case 'never':
      return 'cannot be changed.';
    case 'grow':
      return `can stay or grow: ${values.join(' → ')}.`;
  }
}
