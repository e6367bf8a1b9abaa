import type { Backend, Field, Operation, Requirement, Service } from '../catalogue.ts';
import type { OperationFile } from '../shape/files.ts';
import { offerOf } from './offer.ts';

/** The field by which a claim of an operation says of which service its instance is. */
export const serviceField = 'serviceInstanceType';

/** An operation as its file describes it, for the services that have it. */
export function operationOf(
  file: OperationFile,
  services: readonly Service[],
  backends: readonly Backend[],
): Operation {
  const name = file.operation;
  const having = backends.filter(({ operations }) => operations[name]).map((backend) => backend.name);
  const offer = offerOf(file, having);
  const types = services.filter((service) => having.some((backend) => hasOperation(service, backend, name)));
  return {
    name,
    ...offer,
    fields: offer.fields.map((field) => (field.name === serviceField ? withServices(field, types) : field)),
    requirements: [...offer.requirements, ...having.flatMap((backend) => typeRequirement(file, backend, types))],
  };
}

export function hasOperation(service: Service, backend: string, operation: Operation['name']): boolean {
  return service.backends.some(({ name, operations }) => name === backend && operations.includes(operation));
}

function withServices(field: Field, services: readonly Service[]): Field {
  return { ...field, schema: { ...field.schema, enum: services.map(({ name }) => name) } };
}

/** A backend that has the operation for some services only. */
function typeRequirement(file: OperationFile, backend: string, types: readonly Service[]): Requirement[] {
  const able = types.filter((service) => hasOperation(service, backend, file.operation)).map(({ name }) => name);
  if (able.length === types.length || file.fields?.[serviceField] === undefined) return [];
  const message = `On ${backend}, ${file.kind} is only supported for ${able.join(', ') || 'no service'}.`;
  return [
    { when: [{ is: 'backend', in: [backend] }], then: [{ is: 'field', field: serviceField, in: able }], message },
  ];
}
