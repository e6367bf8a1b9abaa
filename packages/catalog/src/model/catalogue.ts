/** Services, backends and operations, after their files were read, merged and filled in. Everything is generated from this. */
export interface Catalogue {
  readonly services: readonly Service[];
  readonly backends: readonly Backend[];
  readonly operations: readonly Operation[];
}

/** What services and operations have in common: a kind of claim. */
export interface Offer {
  readonly group: string;
  /** Kind of the claim, such as `PostgresqlInstance`; the composite has an `X` before it. */
  readonly kind: string;
  readonly plural: string;
  readonly displayName: string;
  readonly description: string;
  readonly documentation?: string;
  /** Name of the backend that is used when a claim names no Composition. */
  readonly defaultBackend: string;
  /** How composites are deleted; undefined: as the engine does by default. */
  readonly deletePolicy?: 'Background' | 'Foreground';
  /** Columns of `kubectl get`, before those of the engine. */
  readonly columns: readonly Column[];
  /** Fields of `spec`. */
  readonly fields: readonly Field[];
  readonly requirements: readonly Requirement[];
  /** Objects of other kinds that app clusters get with it. */
  readonly claims: readonly PermissionClaim[];
}

/** A data service of which instances can be had. */
export interface Service extends Offer {
  /** Such as `postgresql`: its `serviceInstanceType`, and part of the names of Compositions and provider configs. */
  readonly name: string;
  /** Values of `spec.service`; none: there is no such field. */
  readonly versions: readonly Version[];
  /** What tells plans apart, and how it may change. */
  readonly traits: readonly Trait[];
  /** Values of `spec.plan`; none: there is no such field. */
  readonly plans: readonly Plan[];
  /** Whether a plan may be changed at all. */
  readonly planChange: 'by-traits' | 'never';
  /** Fields of `spec.parameters`. */
  readonly parameters: readonly Field[];
  readonly backends: readonly ServiceBackend[];
}

/** Something that is done with an instance: ServiceBinding, Backup, Restore. Services say which of their backends can do it. */
export interface Operation extends Offer {
  /** `servicebinding`, `backup` or `restore`: part of the names of Compositions. */
  readonly name: OperationName;
}

export type OperationName = 'servicebinding' | 'backup' | 'restore';

export interface Version {
  readonly name: string;
  /** Names of the backends that have it. */
  readonly backends: readonly string[];
  /** Instances keep it, nobody gets it any more. */
  readonly retired: boolean;
}

/** A property of plans, such as their size. */
export interface Trait {
  readonly name: string;
  /** From small to large. */
  readonly values: readonly string[];
  readonly change: 'any' | 'grow' | 'never';
}

export interface Plan {
  readonly name: string;
  /** One value of each trait. */
  readonly traits: Readonly<Record<string, string>>;
  readonly backends: readonly string[];
  readonly description?: string;
  /** Such as `12 EUR per month`. */
  readonly cost?: string;
  /** What an instance gets, for people: `memory: 4Gi`. */
  readonly limits: Readonly<Record<string, string>>;
  /** Instances keep it, nobody gets it any more. */
  readonly retired: boolean;
}

export interface Field {
  readonly name: string;
  /** Structural schema of its value, limits included. */
  readonly schema: Schema;
  readonly required: boolean;
  /** Whether it keeps its first value. */
  readonly immutable: boolean;
  /** Where the value goes, by backend. A backend that is not named refuses the field. */
  readonly targets: Readonly<Record<string, readonly Target[] | 'ignored'>>;
  /** A remark for people, such as `The broker refuses it until an operator enables it.` */
  readonly note?: string;
}

export interface Target {
  /** Path in the composed object; for parameters below the place that its backend has for them. */
  readonly to: string;
  readonly transforms: readonly Transform[];
}

/** If all of `when` hold, all of `then` must. */
export interface Requirement {
  readonly when: readonly Condition[];
  readonly then: readonly Condition[];
  /** One sentence that says what is allowed. */
  readonly message: string;
}

/** Something about a claim. */
export type Condition =
  | { readonly is: 'backend' | 'version' | 'plan'; readonly in: readonly string[] }
  | { readonly is: 'trait'; readonly trait: string; readonly in: readonly string[] }
  /** A field is set, below `spec`, with dots; a text must not be empty. */
  | { readonly is: 'set'; readonly field: string }
  | { readonly is: 'field'; readonly field: string; readonly in: readonly string[] };

/** How one service comes about on one backend. */
export interface ServiceBackend {
  /** Name of the backend; the Composition is `<backend>-<service>`. */
  readonly name: string;
  readonly composed: Composed;
  /** Where parameters go in the composed object, such as `spec.forProvider.parameters`. */
  readonly parametersAt: string;
  /** Operations that work with its instances. */
  readonly operations: readonly OperationName[];
  /** Keys of the Secret that a ServiceBinding gives. */
  readonly credentials: readonly string[];
}

/** A kind of automation that makes instances: a service broker, an operator, the API of a vendor. */
export interface Backend {
  readonly name: string;
  readonly displayName: string;
  readonly description: string;
  /** What operations compose; the Composition is `<backend>-<operation>`. */
  readonly operations: Readonly<Partial<Record<OperationName, Composed>>>;
  /** Objects by which providers find the backend, ready to be filled in by an operator. */
  readonly providerConfigs: readonly JsonObject[];
}

/** One object that is composed from a composite. */
export interface Composed {
  /** `object`: inside an `Object` of provider-kubernetes, which gets the name and namespace of the claim. */
  readonly through: 'resource' | 'object';
  /** The object before anything is patched into it. */
  readonly base: JsonObject;
  /** From the composite to the object, by paths in both; of an `Object` in its manifest. */
  readonly patches: readonly Patch[];
  /** From the object to `status.managed` of the composite; of an `Object` from what is observed of its manifest. */
  readonly status: readonly StatusField[];
  /** CEL about `object` that says when it can be used; only for `object`. Undefined: when its condition `Ready` is true. */
  readonly ready?: string;
}

export interface Patch {
  readonly from: string;
  readonly to: string;
  readonly transforms: readonly Transform[];
}

/** One name for one thing: `to` is below `status.managed`. */
export interface StatusField {
  readonly from: string;
  readonly to: string;
}

export type Transform =
  | { readonly is: 'map'; readonly values: Readonly<Record<string, Json>> }
  /** The value that a plan has for a trait, and what that means here. */
  | { readonly is: 'trait'; readonly trait: string; readonly values: Readonly<Record<string, Json>> }
  | { readonly is: 'format'; readonly format: string }
  | { readonly is: 'trim-prefix'; readonly prefix: string }
  | { readonly is: 'lower-case' }
  | { readonly is: 'integer' };

export interface PermissionClaim {
  readonly group: string;
  readonly resource: string;
  readonly version: string;
  readonly owner: 'Provider' | 'Consumer';
}

export interface Column {
  readonly name: string;
  readonly type: string;
  readonly jsonPath: string;
}

export type Json = string | number | boolean | null | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: Json;
}
export type Schema = JsonObject;
