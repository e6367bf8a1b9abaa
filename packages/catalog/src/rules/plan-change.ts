import type { Plan, Service, Trait } from '../model/catalogue.ts';
import { all, before, implies, isIn, kept, not } from './expressions.ts';
import type { Expression, Rule } from './rule.ts';

/** How plans may change. Plans that left the catalogue have no traits any more, and may change to any other. */
export function planChange({ plans, planChange: changes, traits }: Service): readonly Rule[] {
  if (plans.length === 0) return [];
  if (changes === 'never') return [frozen];
  return traits.flatMap((trait) => {
    const holds = unharmed(trait, plans);
    return holds.length === 0 ? [] : [{ ...said(trait), field: 'plan', asked: 'change', holds: all(...holds) }];
  });
}

const frozen: Rule = {
  id: 'plan.kept',
  field: 'plan',
  asked: 'change',
  holds: kept('plan'),
  message: 'Changing the plan is not supported: create another instance to use another plan.',
};

/** Empty when no two plans differ in a way that matters. */
function unharmed({ name, values, change }: Trait, plans: readonly Plan[]): readonly Expression[] {
  if (change === 'any') return [];
  const rank = (plan: Plan) => values.indexOf(plan.traits[name] ?? '');
  const namesOf = (filter: (plan: Plan) => boolean) => plans.filter(filter).map((plan) => plan.name);
  return values.flatMap((_, at) => {
    const from = namesOf((plan) => (change === 'grow' ? rank(plan) >= at : rank(plan) === at));
    const to = namesOf((plan) => (change === 'grow' ? rank(plan) < at : rank(plan) !== at));
    if (from.length === 0 || to.length === 0) return [];
    return [implies(before(isIn('plan', from)), not(isIn('plan', to)))];
  });
}

function said({ name, values, change }: Trait): Pick<Rule, 'id' | 'message'> {
  if (change === 'never') {
    const message = `Changing the ${name} of a plan is not supported: choose a plan with the same ${name}.`;
    return { id: `plan.${name}.kept`, message };
  }
  const order = `${name} may only grow in the order ${values.join(', ')}`;
  return { id: `plan.${name}.grows`, message: `Changing to a smaller plan ${name} is not supported: ${order}.` };
}
