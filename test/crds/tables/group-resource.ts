import { accepted, creating, refused, requiredRows, type Row, yields } from '../row.ts';

/** What holds for a group. `path` is that of the object, which must exist in the plain object. */
export function groupRows(path: string): readonly Row[] {
  const group = `${path}.group`;
  return [
    creating(`defaults ${group} to the core group`, { [group]: undefined }, yields({ [group]: '' })),
    ...['', 'a', 'apps', 'anynines.com', 'a-b.c-d.e', '01.2'].map((value) =>
      creating(`accepts ${group} "${value}"`, { [group]: value }, accepted),
    ),
    // The last is a proper group, but the contract's pattern wants two characters before the first dot.
    ...['-a', 'a-', 'aa..b', 'A', 'a_b', '.a', 'aa.', 'a.b'].map((value) =>
      creating(`refuses ${group} "${value}"`, { [group]: value }, refused(group, 'should match')),
    ),
    creating(`accepts ${group} of 253 characters`, { [group]: 'a'.repeat(253) }, accepted),
    creating(`refuses ${group} of 254 characters`, { [group]: 'a'.repeat(254) }, refused(group, 'more than 253')),
  ];
}

/** What holds for the name of a resource. */
export function resourceRows(path: string): readonly Row[] {
  const resource = `${path}.resource`;
  return [
    ...['secrets', 'a1', 'a-b'].map((value) =>
      creating(`accepts ${resource} "${value}"`, { [resource]: value }, accepted),
    ),
    ...['', 'a', '1a', 'Secrets', 'a-', 'a.b'].map((value) =>
      creating(`refuses ${resource} "${value}"`, { [resource]: value }, refused(resource, 'should match')),
    ),
    creating(`accepts ${resource} of 63 characters`, { [resource]: 'a'.repeat(63) }, accepted),
    creating(`refuses ${resource} of 64 characters`, { [resource]: 'a'.repeat(64) }, refused(resource, 'more than 63')),
  ];
}

/** What holds for a resource type that must be named. */
export function groupResourceRows(path: string): readonly Row[] {
  return [...groupRows(path), ...resourceRows(path), ...requiredRows(path, ['resource'])];
}
