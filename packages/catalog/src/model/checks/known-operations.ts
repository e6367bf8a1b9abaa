import { allowedWords } from '../suggestion.ts';
import { type Check, finding } from './finding.ts';

/** Operations are composed by some backend, and services offer those that theirs compose. */
export const knownOperations: Check = ({ services, backends, operations }) => {
  const offered = operations.map(({ name }) => name);
  const impossible = operations.filter(({ name }) => !backends.some((backend) => backend.operations[name]));
  return [
    ...impossible.map((operation) =>
      finding(
        operation,
        ['operation'],
        `No backend has the operation "${operation.name}"; say under "operations" of a backend what it composes.`,
      ),
    ),
    ...services.flatMap((service) =>
      service.backends.flatMap((used) => {
        const composed = backends.find(({ name }) => name === used.name)?.operations ?? {};
        const able = offered.filter((name) => composed[name]);
        return used.operations.flatMap((name, at) =>
          able.includes(name)
            ? []
            : [
                finding(
                  service,
                  ['backends', used.name, 'operations', at],
                  `The backend "${used.name}" has no operation "${name}"; ${allowedWords(name, able)}`,
                ),
              ],
        );
      }),
    ),
  ];
};
