import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

import { CROSSPLANE_RELEASES, type CrossplaneVersion } from './crossplane-releases.ts';

/** One Go module of the kit and the programs it builds. */
export interface RecipeStep {
  /** Folder of the module. */
  readonly module: string;
  /** Packages to build; each gives a program named after its folder. */
  readonly packages: readonly string[];
  /** What the user reads while waiting: "kube-apiserver and kube-controller-manager 1.35.4". */
  readonly title: string;
  /** A hint how long a first build takes. */
  readonly duration: string;
  readonly linkerFlags: string;
  /** A folder of a required module that is kept beside the programs, because they need it at run time. */
  readonly kept?: { readonly of: string; readonly folder: string; readonly as: string };
}

/** How to build programs from source. */
export interface Recipe {
  /** Names the result: other sources, flags or another platform give another key. */
  readonly key: string;
  /** The oldest Go that can build it, for example `1.25`. */
  readonly minimumGo: string;
  readonly steps: readonly RecipeStep[];
}

/** The Go modules that come with the kit. */
export const GO_SOURCES = fileURLToPath(new URL('../../go', import.meta.url));

/** Reads the recipe from the Go modules; the versions are those their `go.mod` files require. */
export async function readRecipe(sources: string = GO_SOURCES): Promise<Recipe> {
  const kubernetesModule = join(sources, 'kubernetes');
  const etcdModule = join(sources, 'etcd');
  const kubernetesMod = await readFile(join(kubernetesModule, 'go.mod'), 'utf8');
  const etcdMod = await readFile(join(etcdModule, 'go.mod'), 'utf8');
  const kubernetes = requiredVersion(kubernetesMod, 'k8s.io/kubernetes');
  const etcd = requiredVersion(etcdMod, 'go.etcd.io/etcd/server/v3');
  const steps: RecipeStep[] = [
    {
      module: etcdModule,
      packages: ['.'],
      title: `etcd ${etcd}`,
      duration: 'about half a minute',
      linkerFlags: '-s -w',
    },
    {
      module: kubernetesModule,
      packages: ['./kube-apiserver', './kube-controller-manager'],
      title: `kube-apiserver and kube-controller-manager ${kubernetes}`,
      duration: 'about 5 minutes',
      linkerFlags: `-s -w ${versionStamp(kubernetes)}`,
    },
  ];
  const minimumGo = minimumGoOf(kubernetesMod);
  const digest = await digestOf(sources, steps);
  return { key: `kubernetes-${kubernetes}-etcd-${etcd}-${digest}`, minimumGo, steps };
}

/** Reads how to build Dex, the issuer. */
export async function readDexRecipe(sources: string = GO_SOURCES): Promise<Recipe> {
  const module = join(sources, 'dex');
  const goMod = await readFile(join(module, 'go.mod'), 'utf8');
  const version = requiredVersion(goMod, 'github.com/dexidp/dex');
  const step: RecipeStep = {
    module,
    packages: ['github.com/dexidp/dex/cmd/dex'],
    title: `Dex ${version}`,
    duration: 'about 2 minutes',
    linkerFlags: '-s -w',
  };
  const minimumGo = minimumGoOf(goMod);
  return { key: `dex-${version}-${await digestOf(sources, [step])}`, minimumGo, steps: [step] };
}

/** Reads how to build a release of Crossplane and the function that composes for it. */
export async function readCrossplaneRecipe(version: CrossplaneVersion, sources: string = GO_SOURCES): Promise<Recipe> {
  const { module } = CROSSPLANE_RELEASES[version];
  const crossplaneModule = join(sources, `crossplane-${version}`);
  const functionModule = join(sources, 'function-patch-and-transform');
  const goMod = await readFile(join(crossplaneModule, 'go.mod'), 'utf8');
  const functionMod = await readFile(join(functionModule, 'go.mod'), 'utf8');
  const crossplane = requiredVersion(goMod, module);
  const functionPackage = 'github.com/crossplane-contrib/function-patch-and-transform';
  const patchAndTransform = requiredVersion(functionMod, functionPackage);
  const steps: RecipeStep[] = [
    {
      module: crossplaneModule,
      packages: [`${module}/cmd/crossplane`],
      title: `Crossplane ${crossplane}`,
      duration: 'about 2 minutes',
      linkerFlags: `-s -w -X ${module}/internal/version.version=v${crossplane}`,
      kept: { of: module, folder: 'cluster/crds', as: 'crds' },
    },
    {
      module: functionModule,
      packages: [functionPackage],
      title: `function-patch-and-transform ${patchAndTransform}`,
      duration: 'about 2 minutes',
      linkerFlags: '-s -w',
    },
  ];
  const key = `crossplane-${crossplane}-function-${patchAndTransform}-${await digestOf(sources, steps)}`;
  return { key, minimumGo: minimumGoOf(goMod), steps };
}

function minimumGoOf(goMod: string): string {
  return /^go (\d+\.\d+)/m.exec(goMod)?.[1] ?? '1.25';
}

/** Upstream stamps its version at link time; without it a server answers `v0.0.0-master` to `kubectl version`. */
function versionStamp(version: string): string {
  const [major = '', minor = ''] = version.split('.');
  return ['k8s.io/component-base/version', 'k8s.io/client-go/pkg/version']
    .flatMap((path) => [
      `-X ${path}.gitVersion=v${version}`,
      `-X ${path}.gitMajor=${major}`,
      `-X ${path}.gitMinor=${minor}`,
      `-X ${path}.gitTreeState=clean`,
    ])
    .join(' ');
}

function requiredVersion(goMod: string, module: string): string {
  const escaped = module.replaceAll('.', String.raw`\.`);
  const match = new RegExp(String.raw`^\s*(?:require )?${escaped} v(\S+)`, 'm').exec(goMod);
  if (match?.[1] === undefined) throw new Error(`go.mod of the kit does not require ${module}`);
  return match[1];
}

async function digestOf(sources: string, steps: readonly RecipeStep[]): Promise<string> {
  const hash = createHash('sha256').update(`${process.platform}-${process.arch}`);
  const files = await Promise.all(steps.map(({ module }) => filesBelow(module)));
  for (const file of files.flat().sort()) {
    hash.update(`\0${relative(sources, file)}\0`).update(await readFile(file));
  }
  for (const step of steps) {
    hash.update(`\0${step.packages.join(' ')}\0${step.linkerFlags}`);
    if (step.kept) hash.update(`\0${Object.values(step.kept).join(' ')}`);
  }
  return hash.digest('hex').slice(0, 12);
}

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}
