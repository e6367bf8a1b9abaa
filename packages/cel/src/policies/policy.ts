/** What a ValidatingAdmissionPolicy computes: the fields of its spec that hold expressions. */
export interface PolicyExpressions {
  readonly paramKind?: { readonly apiVersion?: string; readonly kind?: string };
  readonly matchConditions?: readonly NamedExpression[];
  readonly variables?: readonly NamedExpression[];
  readonly validations?: readonly Validation[];
  readonly auditAnnotations?: readonly AuditAnnotation[];
}

export interface NamedExpression {
  readonly name: string;
  readonly expression: string;
}

export interface Validation {
  readonly expression: string;
  readonly message?: string;
  readonly reason?: string;
  readonly messageExpression?: string;
}

export interface AuditAnnotation {
  readonly key: string;
  readonly valueExpression: string;
}
