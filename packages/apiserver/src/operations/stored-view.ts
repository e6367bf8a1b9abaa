import type { ApiObject } from '../objects/api-object.ts';
import { apiVersionOf, type ServedResource } from '../registry/served-resource.ts';
import type { Entry } from '../storage/types.ts';

/** What a stored object looked like when it was last shown in some version. */
interface View {
  readonly schema: ServedResource['schema'];
  readonly apiVersion: string;
  readonly text: string;
}

/** Views die with their entries. Most entries have one: that of the version they are stored in, which costs no extra text. */
const views = new WeakMap<Entry, View>();

/**
 * The object as clients of this version see it: schemas change after objects were stored, so unknown fields go and
 * defaults come when it is read, without being written back.
 */
export function viewText(entry: Entry, resource: ServedResource): string {
  const apiVersion = apiVersionOf(resource);
  const known = views.get(entry);
  if (known && known.schema === resource.schema && known.apiVersion === apiVersion) return known.text;
  const seen = JSON.stringify(convert(entry.object(), resource));
  const text = seen === entry.json ? entry.json : seen;
  views.set(entry, { schema: resource.schema, apiVersion, text });
  return text;
}

/** The object as an item of a list, where the list says what built-in objects are. */
export function itemText(entry: Entry, resource: ServedResource): string {
  const text = viewText(entry, resource);
  if (!resource.builtIn) return text;
  const type = `{"kind":${JSON.stringify(resource.kind)},"apiVersion":${JSON.stringify(apiVersionOf(resource))},`;
  if (text.startsWith(type)) return `{${text.slice(type.length)}`;
  const { kind: _, apiVersion: _version, ...item } = JSON.parse(text) as ApiObject;
  return JSON.stringify(item);
}

/** {@link viewText}, parsed; the caller may change it. */
export function viewObject(entry: Entry, resource: ServedResource): ApiObject {
  return JSON.parse(viewText(entry, resource)) as ApiObject;
}

/** Notes that an entry was just written in the form that its storage version shows. */
export function isCurrent(entry: Entry, resource: ServedResource): void {
  views.set(entry, { schema: resource.schema, apiVersion: resource.storageApiVersion, text: entry.json });
}

function convert(stored: ApiObject, resource: ServedResource): ApiObject {
  const object = resource.conversion?.fromStored(stored) ?? stored;
  object.apiVersion = apiVersionOf(resource);
  resource.schema?.prune(object, { isStored: true });
  resource.schema?.applyDefaults(object);
  return object;
}
