import { crdGroup } from '../../crd/crd.ts';
import { crdStrategy, fillInCrd } from '../../crd/crd-strategy.ts';
import { createdAtColumn, nameColumn } from '../columns.ts';
import { defineKind } from '../define-kind.ts';

export const customResourceDefinitions = defineKind({
  group: crdGroup,
  resource: 'customresourcedefinitions',
  columns: [nameColumn, createdAtColumn],
  strategy: crdStrategy,
  fillIn: fillInCrd,
});
