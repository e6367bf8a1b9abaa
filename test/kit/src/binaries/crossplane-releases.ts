/** A release of Crossplane that tests can run. */
export interface CrossplaneRelease {
  /** The Go module; the kit's own module that builds it is `go/crossplane-<version>`. */
  readonly module: string;
  /** Names the folder with the programs, when they are not to be built. */
  readonly variable: string;
  /** Flags beyond those that every release knows. */
  readonly flags: readonly string[];
}

/** The releases by version. */
export const CROSSPLANE_RELEASES = {
  '1.20': {
    module: 'github.com/crossplane/crossplane',
    variable: 'KLUTCH_CROSSPLANE',
    // Usages need an admission webhook, and this Crossplane has none.
    flags: ['--enable-usages=false'],
  },
} as const satisfies Record<string, CrossplaneRelease>;

export type CrossplaneVersion = keyof typeof CROSSPLANE_RELEASES;

/** The release that the catalogue is made for. */
export const DEFAULT_CROSSPLANE: CrossplaneVersion = '1.20';
