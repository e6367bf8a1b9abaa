import { type CuttingProxy, startCuttingProxy } from '../kube/cutting-proxy.ts';

/** The way to a cluster, which a test can shut: connections break and new ones are refused. */
export interface Door {
  readonly url: string;
  /** Breaks what is open; new connections are accepted. */
  slam(): void;
  shut(): void;
  /** Nothing gets through, and nobody is told: connections stay, and new ones are accepted. */
  freeze(): void;
  open(): void;
  close(): Promise<void>;
}

/** A door of its own to the cluster at `url`, so that a test does not cut off the others. */
export async function doorTo(url: string): Promise<Door> {
  const proxy: CuttingProxy = await startCuttingProxy(Number(new URL(url).port));
  return {
    url: `https://127.0.0.1:${proxy.port}`,
    slam: () => void proxy.cut(),
    shut: () => proxy.partition(),
    freeze: () => proxy.freeze(),
    open: () => proxy.heal(),
    close: () => proxy.close(),
  };
}
