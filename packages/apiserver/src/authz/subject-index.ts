import { serviceAccountUsername } from '../authn/service-account-user.ts';
import type { User } from '../authn/user.ts';
import type { RoleBinding, Subject } from './rbac-objects.ts';

/** A binding that speaks about a user, and the first subject in it that does. */
export interface AppliedBinding {
  readonly binding: RoleBinding;
  readonly subject: Subject;
}

/** Finds the bindings of a user without looking at those of others. */
export interface SubjectIndex {
  /** In the order the bindings had. */
  bindingsOf(user: User): AppliedBinding[];
}

/** @param namespace of the bindings, empty for cluster role bindings: service accounts without a namespace are from there */
export function indexSubjects(bindings: readonly RoleBinding[], namespace: string): SubjectIndex {
  const users = new Map<string, Place[]>();
  const groups = new Map<string, Place[]>();
  bindings.forEach(({ subjects = [] }, binding) => {
    subjects.forEach((subject, position) => {
      const place = { binding, position };
      if (subject.kind === 'User') addTo(users, subject.name, place);
      if (subject.kind === 'Group') addTo(groups, subject.name, place);
      if (subject.kind !== 'ServiceAccount') return;
      const home = subject.namespace || namespace;
      if (home !== '') addTo(users, serviceAccountUsername(home, subject.name), place);
    });
  });

  const placesOf = (user: User): Place[] => [
    ...(users.get(user.name) ?? []),
    ...user.groups.flatMap((group) => groups.get(group) ?? []),
  ];

  return {
    bindingsOf: (user) => {
      const ordered = placesOf(user).sort(
        (left, right) => left.binding - right.binding || left.position - right.position,
      );
      const first = ordered.filter(({ binding }, index) => binding !== ordered[index - 1]?.binding);
      return first.flatMap(({ binding, position }) => {
        const found = bindings[binding];
        const subject = found?.subjects?.[position];
        return found && subject ? [{ binding: found, subject }] : [];
      });
    },
  };
}

/** Indexes of a binding and of a subject in it. */
interface Place {
  readonly binding: number;
  readonly position: number;
}

function addTo(index: Map<string, Place[]>, name: string, place: Place): void {
  const places = index.get(name);
  if (places === undefined) index.set(name, [place]);
  else places.push(place);
}
