import { failureOf } from './failure.ts';

/**
 * Does something and reports how it ended: `success`, or the code of the error. Nothing is reported for a result with which it is
 * not over.
 */
export async function counted<T>(
  report: (result: string) => void,
  action: () => Promise<T>,
  isUnfinished: (result: T) => boolean = () => false,
): Promise<T> {
  try {
    const result = await action();
    if (!isUnfinished(result)) report('success');
    return result;
  } catch (error) {
    report(failureOf(error).code);
    throw error;
  }
}
