import {
  annotations,
  apiName,
  type APIServiceExportTemplate,
  type CustomResourceDefinition,
  templateGroup,
} from '@klutch/api';
import type { KubeObject, ResourceType } from '@klutch/kube';

/** Languages the provider speaks. */
export const languages = ['en', 'de', 'fr', 'es'] as const;

/** The sample service: ask for a greeting, and get one, with a passphrase in a Secret. */
export interface Greeting extends KubeObject {
  readonly spec: { readonly to: string; readonly language?: (typeof languages)[number] };
  readonly status?: GreetingStatus;
}

export interface GreetingStatus {
  readonly greeting?: string;
  readonly secretName?: string;
  readonly conditions?: readonly GreetingCondition[];
}

/** A judgement, as Kubernetes' own kinds have it. */
export interface GreetingCondition {
  readonly type: string;
  readonly status: 'True' | 'False' | 'Unknown';
  readonly reason?: string;
  readonly message?: string;
  readonly lastTransitionTime?: string;
  readonly observedGeneration?: number;
}

export const Greetings: ResourceType<Greeting> = {
  group: 'sandbox.klutch.io',
  version: 'v1',
  plural: 'greetings',
  kind: 'Greeting',
  namespaced: true,
};

/** `greetings.sandbox.klutch.io` */
export const greetingApi = apiName({ group: Greetings.group, resource: Greetings.plural });

const text = (description: string, more: object = {}) => ({ type: 'string', description, ...more });

export const greetingCrd: CustomResourceDefinition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: greetingApi },
  spec: {
    group: Greetings.group,
    scope: 'Namespaced',
    names: { plural: 'greetings', singular: 'greeting', kind: 'Greeting', listKind: 'GreetingList' },
    versions: [
      {
        name: Greetings.version,
        served: true,
        storage: true,
        subresources: { status: {} },
        additionalPrinterColumns: [
          { name: 'Greeting', type: 'string', jsonPath: '.status.greeting' },
          { name: 'Ready', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].status' },
          { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
        ],
        schema: {
          openAPIV3Schema: {
            type: 'object',
            description: 'A greeting from the control plane, and a passphrase in a Secret.',
            required: ['spec'],
            properties: {
              spec: {
                type: 'object',
                description: 'What is wished for.',
                required: ['to'],
                properties: {
                  to: text('Whom to greet.', { minLength: 1, maxLength: 100 }),
                  language: text('Language of the greeting.', { enum: [...languages], default: 'en' }),
                },
              },
              status: {
                type: 'object',
                description: 'What the provider has to say.',
                properties: {
                  greeting: text('The greeting.'),
                  secretName: text('Secret with the passphrase, in the same namespace.'),
                  conditions: {
                    type: 'array',
                    items: {
                      type: 'object',
                      required: ['type', 'status'],
                      properties: {
                        type: text('What is judged.'),
                        status: text('True, False or Unknown.'),
                        reason: text('Why, for programs.'),
                        message: text('Why, for people.'),
                        lastTransitionTime: text('When the status changed.', { format: 'date-time' }),
                        observedGeneration: { type: 'integer', description: 'Generation that was judged.' },
                      },
                    },
                  },
                },
              },
            },
          },
        },
      },
    ],
  },
};

/** Offers the API to everybody, and asks for leave to put its Secrets into app clusters. */
export function greetingTemplate(namespace: string): APIServiceExportTemplate {
  return {
    apiVersion: `${templateGroup}/v1alpha1`,
    kind: 'APIServiceExportTemplate',
    metadata: {
      name: 'greetings',
      namespace,
      annotations: { [annotations.description]: 'A greeting from the control plane, with a passphrase in a Secret.' },
    },
    spec: {
      APIServiceSelector: { group: Greetings.group, resource: Greetings.plural, version: Greetings.version },
      permissionClaims: [
        {
          group: '',
          version: 'v1',
          resource: 'secrets',
          selector: { owner: 'Provider', names: ['*'], namespaces: ['*'] },
          create: {},
          required: true,
        },
      ],
    },
  };
}
