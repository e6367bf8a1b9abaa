/** Paths as Kubernetes writes them in field errors. The root of an object has the empty path, shown as `<nil>`. */

/** `spec` + `size` → `spec.size`. */
export function childPath(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}

/** `spec.labels` + `app` → `spec.labels[app]`. */
export function keyPath(path: string, name: string): string {
  return `${path}[${name}]`;
}

/** `spec.items` + 0 → `spec.items[0]`. */
export function indexPath(path: string, at: number): string {
  return `${path}[${at}]`;
}
