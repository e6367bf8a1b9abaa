import { StatusError } from '../../status/status-error.ts';

/** Waits for a write to something that may be gone already; then there is nothing to do. */
export async function ifThere(write: Promise<unknown>): Promise<void> {
  await unless(write, ({ code }) => code === 404);
}

/** Waits for the creation of something that others may have created, in a namespace that may be on its way out. */
export async function ifPossible(creation: Promise<unknown>): Promise<void> {
  await unless(creation, ({ code, reason, details }) => {
    const isTerminating = details?.causes?.some((cause) => cause.reason === 'NamespaceTerminating');
    return code === 404 || reason === 'AlreadyExists' || isTerminating === true;
  });
}

async function unless(write: Promise<unknown>, isExpected: (error: StatusError) => boolean): Promise<void> {
  try {
    await write;
  } catch (error) {
    if (!(error instanceof StatusError) || !isExpected(error)) throw error;
  }
}
