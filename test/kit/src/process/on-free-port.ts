const ATTEMPTS = 5;

/** Starts something on the port that `pickPort` names; when somebody else has taken that one first, on another. */
export async function onFreePort<T>(pickPort: () => Promise<number>, start: (port: number) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await start(await pickPort());
    } catch (error) {
      if (attempt === ATTEMPTS || !isPortTaken(error)) throw error;
    }
  }
}

function isPortTaken(error: unknown): boolean {
  return error instanceof Error && /address already in use|already in use by another/i.test(error.message);
}
