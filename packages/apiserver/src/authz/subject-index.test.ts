import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import type { User } from '../authn/user.ts';
import type { RoleBinding, Subject } from './rbac-objects.ts';
import { indexSubjects } from './subject-index.ts';

const binding = (name: string, ...subjects: Subject[]): RoleBinding => ({
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'RoleBinding',
  metadata: { name },
  subjects,
  roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'r' },
});
const user = (name: string): Subject => ({ kind: 'User', name });
const group = (name: string): Subject => ({ kind: 'Group', name });
const account = (name: string, namespace?: string): Subject => ({ kind: 'ServiceAccount', name, namespace });
const found = (bindings: RoleBinding[], who: User, namespace = '') =>
  indexSubjects(bindings, namespace)
    .bindingsOf(who)
    .map(({ binding: { metadata }, subject }) => `${metadata.name}:${subject.kind}:${subject.name}`);

describe('the bindings of a user', () => {
  const ann: User = { name: 'ann', groups: ['g', 'h'] };

  it('are those of the name and of all groups, in order', () => {
    const bindings = [
      binding('1', group('h')),
      binding('2', user('bob')),
      binding('3', user('ann')),
      binding('4', group('g')),
    ];
    expect(found(bindings, ann)).toEqual(['1:Group:h', '3:User:ann', '4:Group:g']);
  });

  it('come once each, with the first subject that applies', () => {
    expect(found([binding('1', user('bob'), group('g'), user('ann'), group('h'))], ann)).toEqual(['1:Group:g']);
  });

  it('are not those of a group of the same name, or of a user named like a group', () => {
    expect(found([binding('1', group('ann')), binding('2', user('g'))], ann)).toEqual([]);
  });

  it('may have no subjects, or such of an unknown kind', () => {
    expect(
      found(
        [binding('1'), { ...binding('2'), subjects: undefined }, binding('3', { kind: 'Robot', name: 'ann' })],
        ann,
      ),
    ).toEqual([]);
  });
});

describe('the bindings of a service account', () => {
  const robot: User = { name: 'system:serviceaccount:a:robot', groups: ['system:serviceaccounts:a'] };

  it('name its namespace, or are in it', () => {
    const bindings = [
      binding('1', account('robot')),
      binding('2', account('robot', 'a')),
      binding('3', account('robot', 'b')),
    ];
    expect(found(bindings, robot, 'a')).toEqual(['1:ServiceAccount:robot', '2:ServiceAccount:robot']);
    expect(found(bindings, robot, 'b')).toEqual(['2:ServiceAccount:robot']);
    expect(found(bindings, robot)).toEqual(['2:ServiceAccount:robot']);
  });

  it('may name it as a user or a group', () => {
    const bindings = [binding('1', user(robot.name)), binding('2', group('system:serviceaccounts:a'))];
    expect(found(bindings, robot)).toHaveLength(2);
  });
});

describe('whatever the bindings', () => {
  const names = fc.constantFrom('a', 'b', 'c');
  const anySubject: fc.Arbitrary<Subject> = fc.record({
    kind: fc.constantFrom('User', 'Group', 'ServiceAccount'),
    name: names,
    namespace: fc.constantFrom(undefined, 'a', 'b'),
  });
  const anyUser: fc.Arbitrary<User> = fc.record({
    name: fc.oneof(names, fc.constantFrom('system:serviceaccount:a:a', 'system:serviceaccount:b:c')),
    groups: fc.uniqueArray(names),
  });

  it('the index finds what a search of all of them finds', () => {
    fc.assert(
      fc.property(fc.array(fc.array(anySubject)), anyUser, fc.constantFrom('', 'a', 'b'), (lists, who, namespace) => {
        const bindings = lists.map((subjects, index) => binding(`b${index}`, ...subjects));
        const searched = bindings.flatMap(({ metadata, subjects = [] }) => {
          const subject = subjects.find((one) => appliesTo(one, who, namespace));
          return subject === undefined ? [] : [`${metadata.name}:${subject.kind}:${subject.name}`];
        });
        expect(found(bindings, who, namespace)).toEqual(searched);
      }),
      { numRuns: 500 },
    );
  });
});

function appliesTo(subject: Subject, { name, groups }: User, namespace: string): boolean {
  if (subject.kind === 'User') return subject.name === name;
  if (subject.kind === 'Group') return groups.includes(subject.name);
  const home = subject.namespace ?? namespace;
  return home !== '' && name === `system:serviceaccount:${home}:${subject.name}`;
}
