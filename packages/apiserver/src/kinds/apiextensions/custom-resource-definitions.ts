import { crdGroup } from '../../crd/crd.ts';
import { crdStrategy, fillInCrd } from '../../crd/crd-strategy.ts';
import { createdAtColumn, nameColumn } from '../columns.ts';
import { defineKind } from '../define-kind.ts';
import { ownCondition } from '../meta/condition.ts';
import {
  always,
  bool,
  bytes,
  int32,
  int64,
  keyed,
  list,
  must,
  named,
  ptr,
  struct,
  text,
  value,
} from '../types/fields.ts';
import { jsonSchemaProps } from './json-schema-props.ts';

const columnDefinition = struct('CustomResourceColumnDefinition', 'A column of kubectl get.', {
  name: must(text('Its heading.')),
  type: must(text('boolean, date, integer, number or string.')),
  format: text('Format of the type.'),
  description: text('What it shows.'),
  priority: int32('0 for always, more for -o wide.'),
  jsonPath: must(text('Path of what it shows.')),
});

const selectableField = struct('SelectableField', 'A field that field selectors know.', {
  jsonPath: must(text('Path of the field.')),
});

const scale = struct('CustomResourceSubresourceScale', 'Where the number of replicas is.', {
  specReplicasPath: must(text('Path of the number wanted.')),
  statusReplicasPath: must(text('Path of the number there is.')),
  labelSelectorPath: ptr(text('Path of the selector of the replicas.')),
});

const subresources = struct('CustomResourceSubresources', 'Parts with endpoints of their own.', {
  status: ptr(struct('CustomResourceSubresourceStatus', 'The status as a subresource.', {}), 'The status.'),
  scale: ptr(scale, 'The number of replicas.'),
});

const validation = struct('CustomResourceValidation', 'What objects look like.', {
  openAPIV3Schema: ptr(jsonSchemaProps, 'The schema.'),
});

const serviceReference = struct('ServiceReference', 'Names a service.', {
  namespace: must(text('Its namespace.')),
  name: must(text('Its name.')),
  path: ptr(text('Path of the URL.')),
  port: ptr(int32('Its port.')),
});

const webhookClientConfig = struct('WebhookClientConfig', 'How to reach a webhook.', {
  url: ptr(text('Its URL.')),
  service: ptr(serviceReference, 'Its service.'),
  caBundle: bytes('Certificates it is trusted by.'),
});

const webhookConversion = struct('WebhookConversion', 'Who converts objects.', {
  clientConfig: ptr(webhookClientConfig, 'How to reach it.'),
  conversionReviewVersions: must(list(text(), 'Versions of the request it understands.')),
});

const conversion = struct('CustomResourceConversion', 'How objects change from one version to another.', {
  strategy: must(named('ConversionStrategyType', 'None: only the apiVersion changes. Webhook is not supported here.')),
  webhook: ptr(webhookConversion, 'Who converts, for Webhook.'),
});

const version = struct('CustomResourceDefinitionVersion', 'A version of a kind.', {
  name: must(text('For example v1.')),
  served: must(bool('Whether clients can use it.')),
  storage: must(bool('Whether objects are stored in it; true for exactly one.')),
  deprecated: bool('Whether clients are warned.'),
  deprecationWarning: ptr(text('With which words.')),
  schema: ptr(validation, 'What objects look like.'),
  subresources: ptr(subresources, 'Parts with endpoints of their own.'),
  additionalPrinterColumns: list(columnDefinition, 'Columns of kubectl get.'),
  selectableFields: list(selectableField, 'Fields that field selectors know.'),
});

const names = struct('CustomResourceDefinitionNames', 'Names of a kind.', {
  plural: must(text('As it is in URLs.')),
  singular: text('For command lines.'),
  shortNames: list(text(), 'Shorter names for command lines.'),
  kind: must(text('As it is in objects.')),
  listKind: text('Kind of lists.'),
  categories: list(text(), 'Groups such as all that it belongs to.'),
});

const spec = struct('CustomResourceDefinitionSpec', 'How the kind is named, served and checked.', {
  group: must(text('API group; the name of the definition is plural.group.')),
  names: must(value(names, 'Names of the kind.')),
  scope: must(named('ResourceScope', 'Namespaced or Cluster.')),
  versions: must(list(version, 'Versions in which objects are served.')),
  conversion: ptr(conversion, 'How objects change from one version to another.'),
  preserveUnknownFields: bool('Must be false.'),
});

const condition = ownCondition('CustomResourceDefinitionCondition', 'One aspect of the state of a definition.', {
  observedGeneration: int64('Generation it was found for.'),
});

const status = struct('CustomResourceDefinitionStatus', 'What is known of a definition.', {
  conditions: always(keyed('type', condition, 'Aspects of its state: NamesAccepted, Established and so on.', '')),
  acceptedNames: value(names, 'The names in use.'),
  storedVersions: always(list(text(), 'Versions objects may be stored in.')),
  observedGeneration: int64('Generation this was found for.'),
});

export const customResourceDefinitions = defineKind({
  group: crdGroup,
  type: struct('CustomResourceDefinition', 'A kind of objects that this server is to serve.', {
    spec: must(value(spec, 'What is wanted.')),
    status: value(status, 'What is there.'),
  }),
  resource: 'customresourcedefinitions',
  shortNames: ['crd', 'crds'],
  categories: ['api-extensions'],
  namespaced: false,
  hasStatus: true,
  columns: [nameColumn, createdAtColumn],
  strategy: crdStrategy,
  fillIn: fillInCrd,
});
