import { KlutchError } from '@klutch/api';
import { type ClaimPlan, isSameClaim, plannerOf, planLines } from '../../catalog/claim-plan.ts';
import { claimsIn } from '../../catalog/claims-in.ts';
import { catalogueFrom } from '../../catalog/read-folders.ts';
import { yamlOf } from '../../terminal/output.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import type { PlanFlags } from '../plan.ts';

/** Prints what becomes of the claims in a file. Throws `KLUTCH_CLAIM_REFUSED` if one of them would be refused. */
export async function planClaims(flags: PlanFlags, terminal: Terminal): Promise<void> {
  const catalogue = await catalogueFrom(flags.catalog ?? []);
  const claims = await claimsIn(flags.filename, terminal);
  const before = flags.change === undefined ? [] : await claimsIn(flags.change, terminal);
  const plan = plannerOf(catalogue);
  const plans = claims.map((claim) =>
    plan(
      claim,
      before.find((other) => isSameClaim(other, claim)),
    ),
  );
  if (flags.change !== undefined) refuseStrangers(plans, flags.change);
  if (flags.output === 'json') terminal.print(JSON.stringify({ claims: plans }, undefined, 2));
  else if (flags.output === 'yaml') terminal.print(await yamlOf({ claims: plans }));
  else for (const line of (await Promise.all(plans.map(planLines))).flat()) terminal.print(line);
  const refused = plans.filter(({ outcome }) => outcome === 'refused');
  if (refused.length === 0) return;
  const names = refused.map(({ kind, name }) => `${kind} ${name}`).join(', ');
  throw new KlutchError('KLUTCH_CLAIM_REFUSED', `The control plane would refuse ${names}.`);
}

function refuseStrangers(plans: readonly ClaimPlan[], file: string): void {
  const stranger = plans.find(({ isChange }) => !isChange);
  if (!stranger) return;
  const { kind, namespace, name } = stranger;
  const message = `${file} has no ${kind} ${namespace}/${name}; name a file with the claim as it is now.`;
  throw new KlutchError('KLUTCH_USAGE', message);
}
