import { isKubeError, Namespaces, type ObjectRef, type UnknownObject } from '@klutch/kube';
import { eventually } from '@klutch/kube/testing';
import { expect } from 'vitest';
import { unique, widget } from '../konnector/world.ts';
import type { Stage } from './stage.ts';

/** Objects of a stage's API in one app namespace, and their copies. */
export interface Scene {
  readonly appNamespace: string;
  create(name: string, spec: object, metadata?: object): Promise<UnknownObject>;
  original(name: string): Promise<UnknownObject>;
  findOriginal(name: string): Promise<UnknownObject | undefined>;
  /** Merges into the spec of an original. */
  edit(name: string, spec: object): Promise<UnknownObject>;
  delete(name: string): Promise<void>;
  /** Where the copy is. */
  copyRef(name: string): Promise<ObjectRef>;
  /** The copy, once there is one. */
  copyOf(name: string): Promise<UnknownObject>;
  findCopy(name: string): Promise<UnknownObject | undefined>;
  editCopy(name: string, spec: object): Promise<void>;
  setStatus(name: string, status: object): Promise<void>;
  deleteCopy(name: string): Promise<void>;
  /** Waits until the copy has exactly this spec. */
  specIs(name: string, spec: object): Promise<void>;
  /** Waits until the original has exactly this status. */
  statusIs(name: string, status: object): Promise<void>;
}

/** Waits with a deadline that leaves room for a loaded machine. */
export async function soon<T>(
  look: () => T | false | undefined | Promise<T | false | undefined>,
  withinMs = 30_000,
  everyMs = 50,
): Promise<T> {
  return await eventually(look, { withinMs, everyMs });
}

export function sceneOf(stage: Stage, appNamespace: string = unique('team')): Scene {
  const { app, controlPlane } = stage.clusters;
  const originals = app.admin.resource(stage.api.type);
  const copies = controlPlane.admin.resource(stage.api.type);
  const here = (name: string) => ({ namespace: appNamespace, name });
  const there = async (name: string) => ({ namespace: await stage.side.serviceNamespace(appNamespace), name });

  return {
    appNamespace,
    create: async (name, spec, metadata = {}) => {
      await ensureNamespace();
      const object = widget(stage.api, name, appNamespace, spec);
      // The API is there a moment after the binding.
      return await soon(async () => {
        try {
          return await originals.create({ ...object, metadata: { ...object.metadata, ...metadata } });
        } catch (error) {
          if (isKubeError(error, 'KUBE_NOT_FOUND')) return undefined;
          throw error;
        }
      });
    },
    original: (name) => originals.get(here(name)),
    findOriginal: (name) => originals.find(here(name)),
    edit: (name, spec) => originals.patch(here(name), { type: 'merge', patch: { spec } }),
    delete: (name) => originals.delete(here(name)),
    copyRef: there,
    copyOf: async (name) => {
      const ref = await there(name);
      return await soon(() => copies.find(ref));
    },
    findCopy: async (name) => await copies.find(await there(name)),
    editCopy: async (name, spec) => void (await copies.patch(await there(name), { type: 'merge', patch: { spec } })),
    setStatus: async (name, status) => {
      await copies.patch(await there(name), { type: 'merge', patch: { status } }, { subresource: 'status' });
    },
    deleteCopy: async (name) => await copies.delete(await there(name)),
    specIs: async (name, spec) => {
      const ref = await there(name);
      await soon(async () => {
        expect((await copies.get(ref))['spec']).toEqual(spec);
        return true;
      });
    },
    statusIs: async (name, status) => {
      await soon(async () => {
        expect((await originals.get(here(name)))['status']).toEqual(status);
        return true;
      });
    },
  };

  async function ensureNamespace(): Promise<void> {
    try {
      await app.admin
        .resource(Namespaces)
        .create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: appNamespace } });
    } catch (error) {
      if (!isKubeError(error, 'KUBE_ALREADY_EXISTS')) throw error;
    }
  }
}
