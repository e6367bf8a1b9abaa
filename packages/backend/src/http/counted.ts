import { failureOf } from './failure.ts';

/** Does something and reports how it ended: `success`, or the code of the error. */
export async function counted<T>(report: (result: string) => void, action: () => Promise<T>): Promise<T> {
  try {
    const result = await action();
    report('success');
    return result;
  } catch (error) {
    report(failureOf(error).code);
    throw error;
  }
}
