import type { Adapter, AdapterPayload } from 'oidc-provider';

/** What is kept at most: a login needs five entries or so, and nobody may fill the memory. */
const MOST_ENTRIES = 10_000;

interface Entry {
  readonly payload: AdapterPayload;
  readonly expiresAt: number;
}

/**
 * Keeps sessions, codes and tokens of one issuer in memory. They are gone after a restart, which costs users one more
 * login; the library's own memory is shared by all issuers of a process.
 */
export function memoryAdapters(now: () => number = Date.now): (model: string) => Adapter {
  const entries = new Map<string, Entry>();

  const find = (key: string): AdapterPayload | undefined => {
    const entry = entries.get(key);
    if (entry === undefined || entry.expiresAt > now()) return entry?.payload;
    entries.delete(key);
    return undefined;
  };
  const findWhere = (model: string, matches: (payload: AdapterPayload) => boolean) => {
    for (const [key, { payload }] of entries) {
      if (key.startsWith(`${model}:`) && matches(payload)) return find(key);
    }
    return undefined;
  };
  const makeRoom = () => {
    if (entries.size < MOST_ENTRIES) return;
    for (const [key, { expiresAt }] of entries) if (expiresAt <= now()) entries.delete(key);
    const [oldest] = entries.keys();
    if (entries.size >= MOST_ENTRIES && oldest !== undefined) entries.delete(oldest);
  };

  return (model) => ({
    upsert: async (id, payload, expiresIn) => {
      makeRoom();
      entries.set(`${model}:${id}`, { payload, expiresAt: expiresIn ? now() + expiresIn * 1000 : Infinity });
    },
    find: async (id) => find(`${model}:${id}`),
    findByUid: async (uid) => findWhere(model, (payload) => payload.uid === uid),
    findByUserCode: async (code) => findWhere(model, (payload) => payload.userCode === code),
    consume: async (id) => {
      const payload = find(`${model}:${id}`);
      if (payload) payload.consumed = Math.floor(now() / 1000);
    },
    destroy: async (id) => void entries.delete(`${model}:${id}`),
    revokeByGrantId: async (grantId) => {
      for (const [key, { payload }] of entries) if (payload.grantId === grantId) entries.delete(key);
    },
  });
}
