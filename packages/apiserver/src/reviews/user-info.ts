import type { User } from '../authn/user.ts';

/** A user as reviews show them; what is empty is left out. */
export function userInfo({ name, uid, groups, extra = {} }: User): Record<string, unknown> {
  return {
    ...(name === '' ? {} : { username: name }),
    ...(uid ? { uid } : {}),
    ...(groups.length === 0 ? {} : { groups }),
    ...(Object.keys(extra).length === 0 ? {} : { extra }),
  };
}
