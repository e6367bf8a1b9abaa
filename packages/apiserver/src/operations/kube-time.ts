/** A time as Kubernetes writes it in metadata: UTC in whole seconds. */
export function kubeTime(time: Date): string {
  return `${time.toISOString().slice(0, 19)}Z`;
}
