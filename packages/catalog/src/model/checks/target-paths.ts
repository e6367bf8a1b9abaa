import { stepsOf } from '../../preview/field-path.ts';
import { type Check, type Finding, partOf } from './finding.ts';
import { type Route, routesOf } from './routes.ts';

/** Paths can be read, and no two values go to one place or one into the other. */
export const targetPaths: Check = (catalogue) => {
  const groups = new Map<string, Route[]>();
  for (const route of routesOf(catalogue)) {
    const key = `${partOf(route.offer)} ${route.offer.name} ${route.backend}`;
    groups.set(key, [...(groups.get(key) ?? []), route]);
  }
  return [...groups.values()].flatMap((group) => [...group.flatMap(unreadable), ...collisions(group)]);
};

function unreadable(route: Route): Finding[] {
  return [route.from, route.to]
    .filter((path) => stepsOf(path) === undefined)
    .map((path) =>
      findingAt(
        route,
        `"${path}" is no path; write one such as spec.forProvider.region or metadata.labels[example.org/name].`,
      ),
    );
}

function collisions(routes: readonly Route[]): Finding[] {
  return routes.flatMap((route, at) => {
    const other = routes.slice(0, at).find(({ to }) => overlap(to, route.to));
    return other
      ? [
          findingAt(
            route,
            `${other.from} goes to ${other.to} already; each value needs a place of its own on ${route.backend}.`,
          ),
        ]
      : [];
  });
}

function overlap(a: string, b: string): boolean {
  const [shorter = [], longer = []] = [stepsOf(a) ?? [], stepsOf(b) ?? []].sort((x, y) => x.length - y.length);
  return shorter.length > 0 && shorter.every((step, at) => step === longer[at]);
}

const findingAt = ({ part, name, path }: Route, message: string): Finding => ({ part, name, path, message });
