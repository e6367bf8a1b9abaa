import { expect } from 'vitest';
import { install, objectOf } from '../definition.ts';
import { masked, maskedWithManagers, storedMeta } from '../mask.ts';
import { inNamespace } from '../paths.ts';
import { badRequest, conflict, expectRefusal, invalid, modified, notFound, refusal, startingWith } from '../refusal.ts';
import { conformance } from '../suite.ts';

const namespace = 'conf-subresources';
const group = 'sub.conf.example';
const widgets = inNamespace(`${group}/v1/widgets`, namespace);
const bares = inNamespace(`${group}/v1/bares`, namespace);
const widget = (name: string, spec: object, more: object = {}) => ({
  apiVersion: `${group}/v1`,
  kind: 'Widget',
  metadata: { name },
  spec,
  ...more,
});
const scale = (name: string, replicas: unknown, metadata: object = {}) => ({
  apiVersion: 'autoscaling/v1',
  kind: 'Scale',
  metadata: { name, namespace, ...metadata },
  spec: { replicas },
});

conformance('status and scale of a custom kind', ({ check, prepare }) => {
  prepare(async ({ admin, createNamespace }) => {
    await createNamespace(namespace);
    const counts = { replicas: { type: 'integer' } };
    const schema = objectOf({
      spec: objectOf({ ...counts, color: { type: 'string' } }),
      status: objectOf({ ...counts, phase: { type: 'string', enum: ['Up', 'Down'] }, selector: { type: 'string' } }),
    });
    const subresources = {
      status: {},
      scale: {
        specReplicasPath: '.spec.replicas',
        statusReplicasPath: '.status.replicas',
        labelSelectorPath: '.status.selector',
      },
    };
    await install(admin, { group, kind: 'Widget', schema, version: { subresources } });
    await install(admin, { group, kind: 'Bare', schema });
  });

  check('drops a status that is sent with a new object', async ({ admin }) => {
    const { body } = await admin.post(widgets(), widget('fresh', { replicas: 1 }, { status: { phase: 'Up' } }));

    expect(body.status).toBeUndefined();
  });

  check('keeps the status when the object is replaced or patched', async ({ admin }) => {
    const created = await admin.create(widgets(), widget('kept', { replicas: 1 }));
    await admin.put(`${widgets('kept')}/status`, { ...created, status: { phase: 'Up' } });

    const merged = await admin.patch('merge', widgets('kept'), { spec: { replicas: 2 }, status: { phase: 'Down' } });
    const { resourceVersion } = merged.body.metadata;
    const replaced = await admin.put(widgets('kept'), {
      ...widget('kept', { replicas: 3 }),
      metadata: { name: 'kept', resourceVersion },
    });

    expect([merged.body.status, replaced.body.status]).toEqual([{ phase: 'Up' }, { phase: 'Up' }]);
  });

  check('takes only the status at /status', async ({ admin }) => {
    const created = await admin.create(widgets(), widget('reported', { replicas: 1 }));

    const sent = {
      ...created,
      metadata: { ...created.metadata, labels: { a: '1' } },
      spec: { replicas: 9 },
      status: { phase: 'Up' },
    };
    const { status, body } = await admin.put(`${widgets('reported')}/status`, sent);

    expect([status, body.spec, body.status, body.metadata.labels, body.metadata.generation]).toEqual([
      200,
      { replicas: 1 },
      { phase: 'Up' },
      undefined,
      1,
    ]);
  });

  check('records who wrote the status', async ({ admin }) => {
    await admin.create(`${widgets()}?fieldManager=spec-writer`, widget('written', { replicas: 1 }));
    const { body } = await admin.patch('merge', `${widgets('written')}/status?fieldManager=status-writer`, {
      status: { phase: 'Up' },
    });

    expect(maskedWithManagers(body.metadata.managedFields)).toEqual([
      {
        apiVersion: 'sub.conf.example/v1',
        fieldsType: 'FieldsV1',
        fieldsV1: { 'f:spec': { '.': {}, 'f:replicas': {} } },
        manager: 'spec-writer',
        operation: 'Update',
        time: '<time>',
      },
      {
        apiVersion: 'sub.conf.example/v1',
        fieldsType: 'FieldsV1',
        fieldsV1: { 'f:status': { '.': {}, 'f:phase': {} } },
        manager: 'status-writer',
        operation: 'Update',
        subresource: 'status',
        time: '<time>',
      },
    ]);
  });

  check('counts generations by the spec only', async ({ admin }) => {
    const created = await admin.create(widgets(), widget('generation', { replicas: 1 }));
    const labelled = await admin.patch('merge', widgets('generation'), { metadata: { labels: { a: '1' } } });
    const reported = await admin.patch('merge', `${widgets('generation')}/status`, { status: { phase: 'Up' } });
    const changed = await admin.patch('merge', widgets('generation'), { spec: { replicas: 2 } });

    expect([created, labelled.body, reported.body, changed.body].map(({ metadata }) => metadata.generation)).toEqual([
      1, 1, 1, 2,
    ]);
  });

  check('counts generations by everything but metadata where there is no /status', async ({ admin }) => {
    const bare = { apiVersion: `${group}/v1`, kind: 'Bare', metadata: { name: 'bare' }, spec: { replicas: 1 } };
    await admin.create(bares(), bare);
    const labelled = await admin.patch('merge', bares('bare'), { metadata: { labels: { a: '1' } } });
    const reported = await admin.patch('merge', bares('bare'), { status: { phase: 'Up' } });

    expect([labelled.body.metadata.generation, reported.body.metadata.generation, reported.body.status]).toEqual([
      1,
      2,
      { phase: 'Up' },
    ]);
  });

  check('has no /status and no /scale unless declared', async ({ admin }) => {
    expectRefusal(await admin.get(`${bares('bare')}/status`), notFound('bares.sub.conf.example', 'bare'));
    expectRefusal(await admin.get(`${bares('bare')}/scale`), notFound('bares.sub.conf.example', 'bare'));
    expectRefusal(await admin.get(`${widgets('kept')}/unicorn`), notFound('widgets.sub.conf.example', 'kept'));
  });

  check('validates the status', async ({ admin }) => {
    await admin.create(widgets(), widget('invalid', { replicas: 1 }));

    expectRefusal(
      await admin.patch('merge', `${widgets('invalid')}/status`, { status: { phase: 'Sideways' } }),
      invalid({ group: 'sub.conf.example', kind: 'Widget' }, 'invalid', [
        ['status.phase', 'FieldValueNotSupported', 'Unsupported value: "Sideways": supported values: "Up", "Down"'],
      ]),
    );
  });

  check('reads and creates at /status only what exists', async ({ admin }) => {
    await admin.create(widgets(), widget('readable', { replicas: 1 }));
    const { status, body } = await admin.get(`${widgets('readable')}/status`);

    expect([status, body.kind, body.spec]).toEqual([200, 'Widget', { replicas: 1 }]);
    expectRefusal(
      await admin.put(`${widgets('absent')}/status`, widget('absent', {})),
      notFound('widgets.sub.conf.example', 'absent'),
    );
    expectRefusal(
      await admin.post(`${widgets('readable')}/status`, widget('readable', {})),
      refusal(405, 'MethodNotAllowed', 'create is not supported on resources of kind "widgets.sub.conf.example"', {
        group: 'sub.conf.example',
        kind: 'widgets',
      }),
    );
    expectRefusal(
      await admin.delete(`${widgets('readable')}/status`),
      refusal(405, 'MethodNotAllowed', 'delete is not supported on resources of kind "widgets.sub.conf.example"', {
        group: 'sub.conf.example',
        kind: 'widgets',
      }),
    );
  });

  check('refuses a stale status', async ({ admin }) => {
    const created = await admin.create(widgets(), widget('stale', { replicas: 1 }));
    await admin.patch('merge', widgets('stale'), { spec: { replicas: 2 } });

    expectRefusal(
      await admin.put(`${widgets('stale')}/status`, { ...created, status: { phase: 'Up' } }),
      conflict('widgets.sub.conf.example', 'stale', modified),
    );
  });

  check('leaves the status as it is under dry run', async ({ admin }) => {
    await admin.create(widgets(), widget('dry', { replicas: 1 }));
    const { body } = await admin.patch('merge', `${widgets('dry')}/status?dryRun=All`, { status: { phase: 'Up' } });

    expect([body.status, (await admin.get(widgets('dry'))).body.status]).toEqual([{ phase: 'Up' }, undefined]);
  });

  check('shows the scale as an object of its own', async ({ admin }) => {
    const created = await admin.create(widgets(), widget('scaled', { replicas: 3 }));
    await admin.put(`${widgets('scaled')}/status`, { ...created, status: { replicas: 2, selector: 'a=b' } });

    const { status, body } = await admin.get(`${widgets('scaled')}/scale`);

    expect([status, masked(body)]).toEqual([
      200,
      {
        kind: 'Scale',
        apiVersion: 'autoscaling/v1',
        metadata: storedMeta('scaled', namespace),
        spec: { replicas: 3 },
        status: { replicas: 2, selector: 'a=b' },
      },
    ]);
  });

  check('scales by replacing and patching, and counts a generation', async ({ admin }) => {
    await admin.create(widgets(), widget('rescaled', { replicas: 3, color: 'red' }));

    const replaced = await admin.put(`${widgets('rescaled')}/scale`, scale('rescaled', 5));
    const patched = await admin.patch('merge', `${widgets('rescaled')}/scale`, { spec: { replicas: 6 } });
    const { body } = await admin.get(widgets('rescaled'));

    expect([replaced.status, replaced.body.spec, patched.status, patched.body.spec]).toEqual([
      200,
      { replicas: 5 },
      200,
      { replicas: 6 },
    ]);
    expect([body.spec, body.metadata.generation]).toEqual([{ replicas: 6, color: 'red' }, 3]);
    expect(maskedWithManagers(body.metadata.managedFields)).toEqual([
      {
        apiVersion: 'sub.conf.example/v1',
        fieldsType: 'FieldsV1',
        fieldsV1: { 'f:spec': { 'f:replicas': {} } },
        manager: 'conformance',
        operation: 'Update',
        subresource: 'scale',
      },
      {
        apiVersion: 'sub.conf.example/v1',
        fieldsType: 'FieldsV1',
        fieldsV1: { 'f:spec': { '.': {}, 'f:color': {} } },
        manager: 'conformance',
        operation: 'Update',
        time: '<time>',
      },
    ]);
  });

  check('does not apply a scale', async ({ admin }) => {
    await admin.create(widgets(), widget('applied-scale', { replicas: 3 }));
    const answer = await admin.apply(`${widgets('applied-scale')}/scale`, 'scaler', scale('applied-scale', 4), {
      force: true,
    });

    expectRefusal(
      answer,
      refusal(
        500,
        undefined,
        'failed to convert new object (conf-subresources/applied-scale; autoscaling/v1, Kind=Scale) to proper version: request to convert CR to an invalid group/version: autoscaling/v1',
      ),
    );
  });

  check('refuses a scale below zero and of the wrong kind', async ({ admin }) => {
    await admin.create(widgets(), widget('bad-scale', { replicas: 3 }));

    expectRefusal(
      await admin.put(`${widgets('bad-scale')}/scale`, scale('bad-scale', -1)),
      invalid({ group: 'sub.conf.example', kind: 'Widget' }, 'bad-scale', [
        ['.spec.replicas', 'FieldValueInvalid', 'Invalid value: -1: should be a non-negative integer'],
      ]),
    );
    expectRefusal(
      await admin.put(`${widgets('bad-scale')}/scale`, widget('bad-scale', { replicas: 1 })),
      badRequest(startingWith('no kind is registered for the type v1.Scale')),
    );
    expectRefusal(
      await admin.put(`${widgets('bad-scale')}/scale`, scale('bad-scale', 1, { resourceVersion: '1' })),
      conflict('widgets.sub.conf.example', 'bad-scale', modified),
    );
  });

  check('shows the scale of an object without replicas', async ({ admin }) => {
    await admin.create(widgets(), widget('unscaled', { color: 'red' }));

    const { status, body } = await admin.get(`${widgets('unscaled')}/scale`);

    expect([status, body.spec ?? body.message, body.status]).toEqual([
      500,
      'Internal error occurred: the spec replicas field ".spec.replicas" does not exist',
      'Failure',
    ]);
  });

  check('does not find the scale of what is not there', async ({ admin }) => {
    expectRefusal(await admin.get(`${widgets('absent')}/scale`), notFound('widgets.sub.conf.example', 'absent'));
  });
});
