import { offeredApi } from '@klutch/api';
import { describe, expect, it } from 'vitest';
import { smallCatalogue } from './catalogue.fixture.ts';
import { templatesOf } from './templates.ts';

describe('export templates', () => {
  it('offer each kind to app clusters, with the objects that come with it', () => {
    expect(templatesOf(smallCatalogue()).map(offeredApi)).toEqual([
      { group: 'example.org', resource: 'databases', permissionClaims: [] },
      { group: 'example.org', resource: 'buckets', permissionClaims: [] },
      {
        group: 'example.org',
        resource: 'backups',
        permissionClaims: [{ resource: 'secrets', version: 'v1', selector: { owner: 'Provider' } }],
      },
    ]);
  });

  it('are objects of the group that the Klutch repository uses', () => {
    expect(templatesOf(smallCatalogue())[0]).toEqual({
      apiVersion: 'example-backend.klutch.anynines.com/v1alpha1',
      kind: 'APIServiceExportTemplate',
      metadata: { name: 'databases', namespace: 'crossplane-system' },
      spec: { APIServiceSelector: { group: 'example.org', resource: 'databases', version: 'v1' } },
    });
  });
});
