import { isKlutchError, KlutchError } from '@klutch/api';
import type { AnswerOf, listOffers } from '@klutch/api/contract';
import { openAppCluster } from '../../cluster/app-cluster.ts';
import type { BackendFlags } from '../../cluster/backend-flags.ts';
import type { ConnectionFlags } from '../../cluster/connection-flags.ts';
import { httpSettings } from '../../cluster/http-settings.ts';
import { type Connection, findConnections } from '../../connections/find-connections.ts';
import { tenantBackendOf } from '../../connections/tenant-backend.ts';
import { type OutputFormat, printResult } from '../../terminal/output.ts';
import { createProgress } from '../../terminal/progress.ts';
import type { Terminal } from '../../terminal/terminal.ts';

type Offer = AnswerOf<typeof listOffers>['apis'][number];

/** An API that a provider offers to this app cluster. */
interface OfferHere extends Offer {
  /** Address of the provider, as `klutch bind` takes it. */
  readonly provider: string;
  readonly isBound: boolean;
}

/** Prints what the providers offer that this app cluster is connected to, bound or not. Throws when none of them answers. */
export async function showOffers(
  name: string | undefined,
  flags: ConnectionFlags & BackendFlags & { readonly output: OutputFormat },
  terminal: Terminal,
): Promise<void> {
  if (name !== undefined)
    throw new KlutchError('KLUTCH_USAGE', '--offered lists all; omit the name, or omit --offered.');
  const progress = createProgress(terminal);
  const signal = terminal.untilInterrupted();
  const settings = await httpSettings(flags, process.env);
  const cluster = await openAppCluster(flags, { env: process.env, progress, changes: false });
  try {
    const connections = await findConnections(cluster.client, signal);
    const known = connections.flatMap((connection) => {
      const backend = tenantBackendOf(connection, settings);
      return backend === undefined ? [] : [{ connection, backend }];
    });
    if (known.length === 0) {
      throw new KlutchError(
        'KLUTCH_USAGE',
        'No provider is known here that could be asked. Run `klutch bind <provider-url>`.',
      );
    }
    const failures: Error[] = [];
    const offers: OfferHere[] = [];
    for (const { connection, backend } of known) {
      const found = await backend.offers(signal).catch((error: unknown) => {
        if (!isKlutchError(error)) throw error;
        progress.warn(`${connection.backendUrl} does not tell what it offers: ${error.message}`);
        failures.push(error);
        return [];
      });
      offers.push(...found.map((offer) => here(offer, connection)));
    }
    if (failures[0] && failures.length === known.length) throw failures[0];
    await printResult(terminal, flags.output, resultOf(offers));
  } finally {
    await cluster.close();
  }
}

function here(offer: Offer, { backendUrl = '', bindings }: Connection): OfferHere {
  return { ...offer, provider: backendUrl, isBound: bindings.some(({ metadata }) => metadata.name === offer.name) };
}

function resultOf(offers: readonly OfferHere[]) {
  return {
    table: {
      columns: ['API', 'Kind', 'Versions', 'Bound', 'Provider'],
      rows: offers.map(({ name, kind, versions, isBound, provider }) => [
        name,
        kind,
        versions.join(', '),
        isBound ? 'yes' : 'no',
        provider,
      ]),
    },
    document: { offers },
    names: offers.map(({ name }) => name),
  };
}
