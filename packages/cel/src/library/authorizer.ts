import { dns1123LabelProblems, dns1123SubdomainProblems } from '../formats/kubernetes-names.ts';
import { BOOL, named, STRING } from '../types/cel-type.ts';
import { EvalError } from '../values/eval-error.ts';
import { OpaqueValue } from '../values/opaque.ts';
import { define, type FunctionDeclaration, member } from './declaration.ts';

/** What an expression asks to be allowed to whoever sent the request, or to a service account. */
export interface AccessQuestion {
  readonly account?: { readonly namespace: string; readonly name: string };
  readonly verb: string;
  readonly on:
    | { readonly path: string }
    | {
        readonly group: string;
        readonly resource: string;
        readonly subresource?: string;
        readonly namespace?: string;
        readonly name?: string;
      };
}

/** The answer to an {@link AccessQuestion}. */
export interface AccessDecision {
  readonly allowed: boolean;
  readonly reason: string;
}

export type AskAccess = (question: AccessQuestion) => AccessDecision;

export const AUTHORIZER_TYPE = named('kubernetes.authorization.Authorizer');
export const RESOURCE_CHECK_TYPE = named('kubernetes.authorization.ResourceCheck');
const PATH_CHECK_TYPE = named('kubernetes.authorization.PathCheck');
const GROUP_CHECK_TYPE = named('kubernetes.authorization.GroupCheck');
const DECISION_TYPE = named('kubernetes.authorization.Decision');

/** A value that has nothing but functions. */
abstract class Receiver extends OpaqueValue {
  override matches(other: this): boolean {
    return this === other;
  }
}

/** The variable `authorizer`. */
export class AuthorizerValue extends Receiver {
  override readonly typeName = 'kubernetes.authorization.Authorizer';
  readonly ask: AskAccess;

  constructor(ask: AskAccess) {
    super();
    this.ask = ask;
  }
}

type CheckedResource = Exclude<AccessQuestion['on'], { readonly path: string }>;

/** A resource that access is asked for, as the variable `authorizer.requestResource`. */
export class ResourceCheck extends Receiver {
  override readonly typeName = 'kubernetes.authorization.ResourceCheck';
  readonly ask: AskAccess;
  readonly on: CheckedResource;

  constructor(ask: AskAccess, on: CheckedResource) {
    super();
    this.ask = ask;
    this.on = on;
  }

  with(more: Partial<CheckedResource>): ResourceCheck {
    return new ResourceCheck(this.ask, { ...this.on, ...more });
  }
}

class GroupCheck extends Receiver {
  override readonly typeName = 'kubernetes.authorization.GroupCheck';
  readonly ask: AskAccess;
  readonly group: string;

  constructor(ask: AskAccess, group: string) {
    super();
    this.ask = ask;
    this.group = group;
  }
}

class PathCheck extends Receiver {
  override readonly typeName = 'kubernetes.authorization.PathCheck';
  readonly ask: AskAccess;
  readonly path: string;

  constructor(ask: AskAccess, path: string) {
    super();
    this.ask = ask;
    this.path = path;
  }
}

class Decision extends Receiver {
  override readonly typeName = 'kubernetes.authorization.Decision';
  readonly decision: AccessDecision;

  constructor(decision: AccessDecision) {
    super();
    this.decision = decision;
  }
}

function requireText(text: string, what: string): string {
  if (text.trim() === '') throw new EvalError(`${what} must not be empty`);
  return text;
}

function forAccount({ ask }: AuthorizerValue, namespace: string, name: string): AuthorizerValue {
  if (dns1123SubdomainProblems(name).length > 0) throw new EvalError('Invalid service account name');
  if (dns1123LabelProblems(namespace).length > 0) throw new EvalError('Invalid service account namespace');
  return new AuthorizerValue((question) => ask({ ...question, account: { namespace, name } }));
}

/** Sets one part of what is asked for. */
const part = (name: 'subresource' | 'namespace' | 'name') =>
  define(
    name,
    member(
      `resourcecheck_${name}`,
      [RESOURCE_CHECK_TYPE, STRING],
      RESOURCE_CHECK_TYPE,
      (check: ResourceCheck, text: string) => check.with({ [name]: text }),
    ),
  );

/** Roles do not look at selectors, so that they change no answer. */
const selector = (name: 'fieldSelector' | 'labelSelector') =>
  define(
    name,
    member(
      `authorizer_${name.toLowerCase()}`,
      [RESOURCE_CHECK_TYPE, STRING],
      RESOURCE_CHECK_TYPE,
      (check: ResourceCheck) => check,
    ),
  );

/** Questions about what somebody may do. */
export const AUTHORIZER: readonly FunctionDeclaration[] = [
  define(
    'path',
    member('authorizer_path', [AUTHORIZER_TYPE, STRING], PATH_CHECK_TYPE, ({ ask }: AuthorizerValue, path: string) => {
      return new PathCheck(ask, requireText(path, 'path'));
    }),
  ),
  define(
    'group',
    member(
      'authorizer_group',
      [AUTHORIZER_TYPE, STRING],
      GROUP_CHECK_TYPE,
      ({ ask }: AuthorizerValue, group: string) => new GroupCheck(ask, group),
    ),
  ),
  define(
    'serviceAccount',
    member('authorizer_serviceaccount', [AUTHORIZER_TYPE, STRING, STRING], AUTHORIZER_TYPE, forAccount),
  ),
  define(
    'resource',
    member(
      'groupcheck_resource',
      [GROUP_CHECK_TYPE, STRING],
      RESOURCE_CHECK_TYPE,
      ({ ask, group }: GroupCheck, resource: string) =>
        new ResourceCheck(ask, { group, resource: requireText(resource, 'resource') }),
    ),
  ),
  part('subresource'),
  part('namespace'),
  part('name'),
  selector('fieldSelector'),
  selector('labelSelector'),
  define(
    'check',
    member(
      'pathcheck_check',
      [PATH_CHECK_TYPE, STRING],
      DECISION_TYPE,
      ({ ask, path }: PathCheck, verb: string) => new Decision(ask({ verb, on: { path } })),
    ),
    member(
      'resourcecheck_check',
      [RESOURCE_CHECK_TYPE, STRING],
      DECISION_TYPE,
      ({ ask, on }: ResourceCheck, verb: string) => new Decision(ask({ verb, on })),
    ),
  ),
  define(
    'errored',
    member('decision_errored', [DECISION_TYPE], BOOL, () => false),
  ),
  define(
    'error',
    member('decision_error', [DECISION_TYPE], STRING, () => ''),
  ),
  define(
    'allowed',
    member('decision_allowed', [DECISION_TYPE], BOOL, ({ decision }: Decision) => decision.allowed),
  ),
  define(
    'reason',
    member('decision_reason', [DECISION_TYPE], STRING, ({ decision }: Decision) => decision.reason),
  ),
];
