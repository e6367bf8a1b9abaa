/** Paths as Kubernetes writes them in field errors. The root of an object has the empty path, shown as `<nil>`. */

/** `spec` + `size` → `spec.size`. */
export function child(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}

/** `spec.labels` + `app` → `spec.labels[app]`. */
export function key(path: string, name: string): string {
  return `${path}[${name}]`;
}

/** `spec.items` + 0 → `spec.items[0]`. */
export function index(path: string, at: number): string {
  return `${path}[${at}]`;
}
