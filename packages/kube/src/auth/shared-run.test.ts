import { describe, expect, it } from 'vitest';
import { sharedRun } from './shared-run.ts';

/** Work that ends when the test says so, and counts how often it was started. */
function controlledWork() {
  const runs: { signal: AbortSignal; resolve: (value: string) => void; reject: (error: Error) => void }[] = [];
  const work = (signal: AbortSignal) =>
    new Promise<string>((resolve, reject) => {
      runs.push({ signal, resolve, reject });
    });
  return { runs, work };
}

describe('sharedRun', () => {
  it('lets callers that come meanwhile share one run', async () => {
    const { runs, work } = controlledWork();
    const join = sharedRun(work);

    const callers = [join(), join(new AbortController().signal), join()];
    runs[0]?.resolve('done');

    expect(await Promise.all(callers)).toEqual(['done', 'done', 'done']);
    expect(runs).toHaveLength(1);
  });

  it('starts again after a run has ended, well or badly', async () => {
    const { runs, work } = controlledWork();
    const join = sharedRun(work);

    const failing = join();
    runs[0]?.reject(new Error('broken'));
    await expect(failing).rejects.toThrow('broken');
    const next = join();
    runs[1]?.resolve('done');

    expect(await next).toBe('done');
  });

  it('lets one caller give up without disturbing the others', async () => {
    const { runs, work } = controlledWork();
    const join = sharedRun(work);
    const impatient = new AbortController();

    const patient = join();
    const given = join(impatient.signal);
    impatient.abort();
    await expect(given).rejects.toMatchObject({ code: 'KUBE_ABORTED' });
    expect(runs[0]?.signal.aborted).toBe(false);
    runs[0]?.resolve('done');

    expect(await patient).toBe('done');
  });

  it('stops the work when the last caller gives up, and waits for it to end', async () => {
    const { runs, work } = controlledWork();
    const join = sharedRun(work);
    const controllers = [new AbortController(), new AbortController()];
    const order: string[] = [];

    const callers = controllers.map(async (controller, index) =>
      join(controller.signal).catch((error: unknown) => {
        order.push(`caller ${index}`);
        return error;
      }),
    );
    runs[0]?.signal.addEventListener('abort', () => {
      setImmediate(() => {
        order.push('work ended');
        runs[0]?.reject(new Error('stopped'));
      });
    });
    controllers[0]?.abort();
    await callers[0];
    controllers[1]?.abort();

    expect(await callers[1]).toMatchObject({ code: 'KUBE_ABORTED' });
    expect(order).toEqual(['caller 0', 'work ended', 'caller 1']);
  });

  it('starts new work for a caller that comes while abandoned work is still ending', async () => {
    const { runs, work } = controlledWork();
    const join = sharedRun(work);
    const controller = new AbortController();

    const gone = join(controller.signal).catch(() => 'gone');
    controller.abort();
    await new Promise<void>((resolve) => {
      runs[0]?.signal.addEventListener('abort', () => resolve());
    });
    const fresh = join();
    runs[1]?.resolve('new');
    runs[0]?.resolve('old');

    expect(await fresh).toBe('new');
    expect(await gone).toBe('gone');
  });

  it('does not start for a caller that has given up already', async () => {
    const { runs, work } = controlledWork();

    await expect(sharedRun(work)(AbortSignal.abort())).rejects.toMatchObject({ code: 'KUBE_ABORTED' });
    expect(runs).toHaveLength(0);
  });
});
