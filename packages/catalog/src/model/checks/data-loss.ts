import type { Plan, Service } from '../catalogue.ts';
import type { TreePath } from '../files/tree.ts';
import { quantityOf } from '../quantity.ts';
import { isService } from '../../render/offers.ts';
import { type Check, type Finding, finding } from './finding.ts';
import { arriving } from './possible-values.ts';
import { type Route, routesOf } from './routes.ts';

/** Where data is: a change that makes one of these smaller loses some. */
const holdsData = /(storage|volume|disk|replicas|nodes)/i;

/** No change of plan that is allowed makes what holds the data smaller. */
export const dataLoss: Check = (catalogue) => [
  ...routesOf(catalogue)
    .filter(({ from, to, transforms }) => from === 'spec.plan' && holdsData.test(to) && transforms.length > 0)
    .flatMap((route) => (isService(route.offer) ? composedLoss(route.offer, route) : [])),
  ...catalogue.services.flatMap(statedLoss),
];

function composedLoss(service: Service, { part, name, path, ...route }: Route): Finding[] {
  const plans = service.plans.filter(({ backends }) => backends.includes(route.backend));
  const loss = firstLoss(service, plans, (plan) => arriving(plan.name, route));
  return loss === undefined
    ? []
    : [{ part, name, path, alternatives: changesOf(service), message: said(route.to, loss) }];
}

/** Where it is said how traits may change. */
const changesOf = ({ traits }: Service): readonly TreePath[] =>
  traits.flatMap(({ name }) => [
    ['traits', name, 'values'],
    ['traits', name, 'change'],
  ]);

/** What plans say about themselves holds on backends that decide it on their own. */
function statedLoss(service: Service): Finding[] {
  const keys = new Set(service.plans.flatMap(({ limits }) => Object.keys(limits)).filter((key) => holdsData.test(key)));
  return [...keys].flatMap((key) => {
    const loss = firstLoss(service, service.plans, ({ limits }) => limits[key]);
    if (loss === undefined) return [];
    const stated = finding(service, ['plans', loss.to.name, 'limits', key], said(key, loss));
    return [{ ...stated, alternatives: changesOf(service) }];
  });
}

interface Loss {
  readonly from: Plan;
  readonly to: Plan;
  readonly before: unknown;
  readonly after: unknown;
}

function firstLoss(service: Service, plans: readonly Plan[], valueOf: (plan: Plan) => unknown): Loss | undefined {
  const sized = plans.map((plan) => ({ plan, value: valueOf(plan), size: quantityOf(valueOf(plan)) }));
  for (const from of sized) {
    const to = sized.find(
      ({ plan, size }) => (size ?? Infinity) < (from.size ?? 0) && mayChange(service, from.plan, plan),
    );
    if (to) return { from: from.plan, to: to.plan, before: from.value, after: to.value };
  }
  return undefined;
}

function mayChange({ planChange, traits }: Service, from: Plan, to: Plan): boolean {
  if (planChange === 'never') return false;
  return traits.every(({ name, values, change }) => {
    const step = values.indexOf(to.traits[name] ?? '') - values.indexOf(from.traits[name] ?? '');
    return change === 'any' || (change === 'grow' ? step >= 0 : step === 0);
  });
}

const said = (what: string, { from, to, before, after }: Loss) =>
  `An instance may change from plan "${from.name}" to "${to.name}", which would make ${what} smaller (${String(before)} to ${String(after)}) and lose data; order the values of a trait so that it only grows, or let it never change.`;
