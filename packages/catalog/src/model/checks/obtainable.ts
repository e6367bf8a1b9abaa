import type { Condition, Plan, Requirement, Service, Version } from '../catalogue.ts';
import { type Check, type Finding, finding } from './finding.ts';

/** Every plan and version that is offered can be had by somebody. */
export const obtainable: Check = ({ services }) =>
  services.flatMap((service) => {
    const retired = allRetired(service);
    return retired.length > 0 ? retired : impossible(service);
  });

interface Choice {
  readonly backend: string;
  readonly plan: Plan | undefined;
  readonly version: Version | undefined;
}

function impossible(service: Service): Finding[] {
  const choices = choicesOf(service);
  const has = (key: 'plan' | 'version', name: string) => choices.some((choice) => choice[key]?.name === name);
  const unobtainable = (key: 'plan' | 'version', items: readonly { readonly name: string }[]) =>
    items
      .filter(({ name }) => !has(key, name))
      .map(({ name }) =>
        finding(
          service,
          [`${key}s`, name],
          `Nobody can have the ${key} "${name}": no backend has it together with ${key === 'plan' ? 'a version' : 'a plan'} that the requirements allow; retire it or change them.`,
        ),
      );
  return [...unobtainable('plan', current(service.plans)), ...unobtainable('version', current(service.versions))];
}

/** All combinations that a new claim may have. */
function choicesOf(service: Service): readonly Choice[] {
  return service.backends.flatMap(({ name: backend }) => {
    const on = <T extends Version | Plan>(items: readonly T[]) =>
      items.length === 0 ? [undefined] : current(items).filter(({ backends }) => backends.includes(backend));
    return on(service.plans)
      .flatMap((plan) => on(service.versions).map((version): Choice => ({ backend, plan, version })))
      .filter((choice) => service.requirements.every((requirement) => mayHold(requirement, choice)));
  });
}

/** Fields can be set or not as it pleases, so only the rest decides. */
function mayHold({ when, then }: Requirement, choice: Choice): boolean {
  return (
    when.some((condition) => truth(condition, choice) !== true) ||
    then.every((condition) => truth(condition, choice) !== false)
  );
}

function truth(condition: Condition, { backend, plan, version }: Choice): boolean | 'open' {
  switch (condition.is) {
    case 'backend':
      return condition.in.includes(backend);
    case 'plan':
      return condition.in.includes(plan?.name ?? '');
    case 'version':
      return condition.in.includes(version?.name ?? '');
    case 'trait':
      return condition.in.includes(plan?.traits[condition.trait] ?? '');
    case 'set':
    case 'field':
      return 'open';
  }
}

function allRetired(service: Service): Finding[] {
  return (['plans', 'versions'] as const)
    .filter((key) => service[key].length > 0 && current(service[key]).length === 0)
    .map((key) =>
      finding(service, [key], `All ${key} are retired, so nobody can have ${service.displayName}; keep at least one.`),
    );
}

const current = <T extends { readonly retired: boolean }>(items: readonly T[]) =>
  items.filter(({ retired }) => !retired);
