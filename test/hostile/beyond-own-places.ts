/** Places in which a backend may write, read Secrets and issue tokens. */
const ownPlaces = ['own-namespace', 'cluster-namespace-of-a-tenant', 'service-namespace-of-a-tenant'];

const writes = ['create', 'update', 'patch', 'delete', 'deletecollection'];
const reads = ['get', 'list', 'watch'];

/**
 * Which of the allowed calls go beyond what a backend may do: none may. A review asks a question and writes nothing.
 *
 * @param exceptions what may be written everywhere, as `<verb> <resource>`
 */
export function beyondOwnPlaces(allowed: readonly string[], exceptions: readonly string[] = []): readonly string[] {
  return allowed.filter((title) => {
    const [place = '', verb = '', what = ''] = title.split(' ');
    if (ownPlaces.includes(place) || exceptions.includes(`${verb} ${what}`)) return false;
    const isReview = verb === 'create' && /^(self)?subject\w*reviews\.|^tokenreviews\./.test(what);
    if (isReview) return false;
    const readsSecrets = reads.includes(verb) && /^secrets($|\/)/.test(what);
    return writes.includes(verb) || readsSecrets;
  });
}
